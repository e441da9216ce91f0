/** A bar on the last line of a terminal. What is said meanwhile takes it away, and the next look at it brings it back. */
import { Presets, SingleBar } from 'cli-progress';
import { takeLastLine, usualColumns } from './waiting-line.ts';

export interface Bar {
  /** Whether it stands there now. */
  readonly isShown: boolean;
  /** @param told  what stands behind the figures */
  show(value: number, total: number, told: string): void;
  /** Nothing is shown from here on; it may be called twice. */
  end(): void;
}

const redrawsPerSecond = 10;
/** In columns; in a narrow window half of it, so that what is told is seen too. */
const widestBar = 40;

export function terminalBar(): Bar {
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total}  {told}',
      barsize: Math.min(widestBar, Math.floor((process.stderr.columns || usualColumns) / 2)),
      hideCursor: true,
      clearOnComplete: true,
      fps: redrawsPerSecond,
      stream: process.stderr,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  let isEnded = false;
  let showAgain: (() => void) | null = null;
  const show = (value: number, total: number, told: string) => {
    if (isEnded) return;
    if (showAgain === null) process.on('SIGTSTP', stopWithoutBar);
    showAgain = () => show(value, total, told);
    if (!bar.isActive) {
      takeLastLine(() => bar.stop());
      bar.start(total, value, { told });
    }
    bar.setTotal(total);
    bar.update(value, { told });
  };
  /** The bar hides the cursor and holds long lines on one: the shell gets the terminal back as it was. */
  const stopWithoutBar = () => {
    bar.stop();
    process.once('SIGCONT', () => showAgain?.());
    process.kill(process.pid, 'SIGSTOP');
  };
  return {
    get isShown() {
      return bar.isActive;
    },
    show,
    end: () => {
      isEnded = true;
      process.off('SIGTSTP', stopWithoutBar);
      bar.stop();
    },
  };
}
