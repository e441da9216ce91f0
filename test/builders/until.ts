/** Waits for something that another party does, however long that takes: the test's own limit is the only one. */

const pauseMs = 5;

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
