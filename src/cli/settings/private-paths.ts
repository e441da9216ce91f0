/** What no attachment may name: settings, tokens, and records of the sandbox. Ledgers are known by their keys. */
import { besideConfiguration, readConfiguration } from './configuration.ts';
import { fromEnvironment } from './environment.ts';
import { configurationFolder, stateFolder } from './folders.ts';

export interface PrivateFlags {
  readonly config?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly sandboxData?: string | undefined;
}

/** @throws DealsheetError `usage` when a configuration file cannot be understood */
export function privatePathsOf({ config, tokenFile, sandboxData }: PrivateFlags): readonly string[] {
  const files = readConfiguration(config ?? null);
  const ofProfiles = files.flatMap(({ path, settings }) =>
    Object.values(settings.profiles).map((profile) =>
      profile.tokenFile === undefined ? null : besideConfiguration(path, profile.tokenFile),
    ),
  );
  const named = [tokenFile, fromEnvironment('TOKEN_FILE'), sandboxData, ...ofProfiles];
  return [
    configurationFolder,
    stateFolder,
    ...files.map(({ path }) => path),
    ...named.filter((path) => path !== undefined && path !== null),
  ];
}
