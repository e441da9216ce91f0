/** Records that are read back: the names and the days of the service become those of the program. */
import type { ContractSettings } from './contract-settings.ts';
import { fieldsOf } from './fields.ts';
import { oncePer } from './once-per.ts';
import type { RecordKind } from './record-kind.ts';
import { documentedBy, wirePathOf } from './rename.ts';
import { ownForm } from './typed-values.ts';

type Reader = ReturnType<typeof documentedBy>;

/** The record of a kind as the service gives it, by its documented names, and with its days as the program writes them. */
export function documentedRecord(
  kind: RecordKind,
  contract: ContractSettings,
  record: Parameters<Reader>[0],
): ReturnType<Reader> {
  return readers(contract)(kind)(record);
}

const readers = oncePer(({ requests, wire }: ContractSettings) =>
  oncePer((kind: RecordKind) => {
    const { rename } = requests[kind.name];
    if (wire.date === ownForm) return documentedBy(rename);
    const days = fieldsOf(kind).flatMap(({ path, format, place }) => {
      const there = place === 'body' && format === 'date' ? wirePathOf(path, rename) : null;
      return there === null ? [] : [[path, `${there}:date(${wire.date})`]];
    });
    return documentedBy({ ...rename, ...Object.fromEntries(days) });
  }),
);
