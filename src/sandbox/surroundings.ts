/** What the endpoints need to know of the sandbox that they belong to. */
export interface Surroundings {
  /** The address that the `url` of a result begins with. */
  readonly publicUrl: string;
  /** Valid statuses of a note; empty when any will do, as the interface does not show them (3). */
  readonly dealStatuses: readonly string[];
}
