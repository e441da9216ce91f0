/** Where things of this user stand: settings, the ledger, sandbox records. */
import { join } from 'node:path';
import envPaths from 'env-paths';

const paths = envPaths('dealsheet', { suffix: '' });

/** The user's own settings: what stands there is the user's word. */
export const configurationFolder = paths.config;
/** Mappings that are remembered. */
export const mappingsFolder = join(configurationFolder, 'mappings');
/** Ledgers, private copies and records of the sandbox. */
export const stateFolder = paths.data;
export const defaultLedgerPath = join(stateFolder, 'ledger.db');
export const defaultSandboxData = join(stateFolder, 'sandbox.db');
