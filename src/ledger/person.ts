/** Who loads and resolves: what the ledger keeps of it for a team. */
import { userInfo } from 'node:os';

/** The name of the user of this process; a user without one, as in a container, goes by the number. */
export function personHere(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
