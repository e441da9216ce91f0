/** Bundles what rolldown.config.ts names. The command of rolldown would list every file that it writes, at any log level. */
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.ts';

for (const config of configs) {
  const bundle = await rolldown(config);
  for (const output of [config.output ?? []].flat()) await bundle.write(output);
  await bundle.close();
}
