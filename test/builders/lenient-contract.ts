import { assumedContract, type ContractSettings } from '../../src/contract/contract-settings.ts';
import { expectedOf } from '../../src/contract/fields.ts';
import { recordKinds } from '../../src/contract/record-kinds.ts';

const assumed = recordKinds.flatMap(expectedOf).filter(({ source }) => source === 'assumed');

/** The contract of a service that takes rows without what we assume them to need: for tests of anything else. */
export const lenientContract: ContractSettings = {
  ...assumedContract,
  needs: Object.fromEntries(assumed.map(({ name }) => [name, 'none' as const])),
};
