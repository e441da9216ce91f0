/** Builds the project once before the tests: the command line is tested as it is installed. */
import { spawnSync } from 'node:child_process';

export default function build(): void {
  if (process.env.DEALSHEET_TEST_BUILD !== undefined) return;
  const built = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  // Tests of the command line would run what was built before.
  if (built.status !== 0) throw new Error('The project does not compile: npm run check tells where.');
}
