/** Writes what the answers of a kind mean into the profile, in the file where it stands. */
import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { DeclaredAnswers } from '../../contract/answer-rules.ts';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { openTemporaryFile } from '../../sheets/temporary-file.ts';
import type { FoundProfile } from './configuration.ts';
import { withMember } from './written-json.ts';

const permissions = 0o777;

/**
 * Everything else in the file stays as it is written, and so does who may read it.
 *
 * @returns the path of the file
 * @throws DealsheetError `unwritable-results` when it cannot be written
 */
export async function declareAnswers(
  { file, name, profile }: FoundProfile,
  kind: RecordKindName,
  declared: DeclaredAnswers,
): Promise<string> {
  // A configuration that is kept elsewhere and linked here stays linked.
  const path = realpathSync(file);
  const answers = { ...profile.contract?.answers[kind], ...declared };
  const text = withMember(readFileSync(path, 'utf8'), ['profiles', name, 'contract', 'answers', kind], answers);
  const mode = statSync(path).mode & permissions;
  const temporary = await openTemporaryFile(path, mode);
  try {
    await temporary.write(Buffer.from(text));
    const placed = await temporary.place();
    chmodSync(placed, mode);
    return placed;
  } catch (error) {
    await temporary.remove();
    throw error;
  }
}
