/** What an answer says beside the id, as values: what stands against a yes, and what tells of rows that are in. */

/** One place of an answer that stands against a yes. */
export interface Sign {
  /** For a message: `"failed" is 2`. */
  readonly told: string;
  /** Whether it is a no, and not a doubt alone. */
  readonly isNo: boolean;
  /** So many rows at least are not in; `null` when it gives no number. */
  readonly leastRefused: number | null;
  /** So many rows at most are in; `null` when it gives no number. */
  readonly mostAccepted: number | null;
}

/** What tells of a doubt alone, and gives no number. */
export const doubt = { isNo: false, leastRefused: null, mostAccepted: null } as const;

export interface Signs {
  /** The documented flag says no. */
  readonly saysNo: boolean;
  /** Something says yes in a word. */
  readonly saysYes: boolean;
  /** In spite of a no, something tells of rows that are in, or may be. */
  readonly tellsOfSome: boolean;
  /** Something tells of rows that were made: a refusal has no such number. */
  readonly tellsOfMade: boolean;
  /** A status leaves open whether the row is in, as that of an answer does: 500, `partial`, `timeout`. */
  readonly leavesOpen: boolean;
  /** A status says that the row is taken, and waits for something. */
  readonly isUnderWay: boolean;
  /** A status or a message tells in words that are not known what became of the row. */
  readonly saysUnknown: boolean;
  readonly against: readonly Sign[];
  /** What messages say in words alone; see {@link standingAgainst}. */
  readonly inWords: readonly Sign[];
  /** The lists of what was refused. */
  readonly refusals: readonly (readonly unknown[])[];
}

/** What stands against a yes. A no in words counts where the answer gives no id, and says yes nowhere. */
export function standingAgainst({ against, inWords, saysYes }: Signs, id: string | null): readonly Sign[] {
  return id !== null || saysYes ? against : [...against, ...inWords];
}
