/** `dealsheet ledger ACTION`: copies the ledger, accepts one as it is, and shares one with a team. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { ownerOnly } from '../../disk/new-file.ts';
import { writeWhole } from '../../disk/output-guard.ts';
import { keyAsText, keyBeside, keyInText, keyPathOf, makeKeyBeside } from '../../ledger/ledger-key.ts';
import type { TeamPlace } from '../../ledger/postgres/connections.ts';
import { errorOf } from '../../messages/text.ts';
import { ownConfigurationPath, storeLedger } from '../../settings/configuration.ts';
import { ledgerPlace, refusePasswordSeen, teamPlaceOf, withLedger } from '../../settings/ledger-choice.ts';
import { command, optionalPositional } from '../command.ts';
import type { JsonAnswer } from '../command-end.ts';
import { rows } from '../formats.ts';
import type { LoadDialog } from '../load-dialog.ts';
import { needYes, type Terminal } from '../terminal.ts';

const withFile = ['backup', 'share', 'join'] as const;
const actions = [...withFile, 'accept', 'create', 'move'] as const;

interface Asked extends Pick<LoadDialog, 'flags' | 'terminal' | 'answer'> {
  readonly file: string;
}

export const ledgerCommand = command({
  examples: [
    ['dealsheet ledger backup /backups/2026-11-20', 'copy the ledger and its key, even during a load'],
    ['dealsheet ledger accept', 'go on with a ledger that is refused because entries are missing, or begin a new one'],
    ['dealsheet ledger create --ledger postgres://HOST/DATABASE', 'make the ledger of a team in a database'],
    ['dealsheet ledger share team.json', 'write what a colleague needs: the address and the key'],
    ['dealsheet ledger join team.json', 'use the ledger of a colleague from now on'],
    ['dealsheet ledger move --to postgres://HOST/DATABASE', 'move this ledger to the server, once'],
  ],
  positionals: {
    action: { choices: actions, demandOption: true, describe: 'What to do' },
    file: optionalPositional('The folder of the backup, or the file to write or read'),
  },
  flags: ['ledger', 'config', 'to', 'yes', 'json'],
  run: async (flags, terminal, answer) => {
    const { action, file } = flags;
    const isNamed = (withFile as readonly string[]).includes(action);
    if (isNamed !== (file !== undefined)) throw errorOf('action-and-file', { action, isNamed });
    if ((flags.to !== undefined) !== (action === 'move')) throw errorOf('move-without-to');
    await doing[action]({ flags, file: resolve(file ?? ''), terminal, answer });
  },
});

const doing: Readonly<Record<(typeof actions)[number], (asked: Asked) => Promise<void>>> = {
  async backup({ flags, file, terminal, answer }) {
    const copy = await withLedger(flags, (ledger) => ledger.backUp(file));
    terminal.say(`The ledger is copied to ${copy}, with its key ${keyPathOf(copy)}. Keep both together.`);
    answer.give({ backup: { ledger: copy, key: keyPathOf(copy) } });
  },

  async accept({ flags, terminal, answer }) {
    const path = needFile(await ledgerPlace(flags));
    const question = `Rows that are in but missing from ${path} will be sent again when their file is loaded. Use the ledger as it is?`;
    await needYes(flags, terminal, question);
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const ledger = openLedger(path, { isMeant: true });
    const isNew = (await ledger.runs().finally(() => ledger.close())).length === 0;
    terminal.say(isNew ? `A new ledger begins in ${path}.` : `The ledger ${path} is used as it is.`);
    answer.give({ ledger: path, isNew });
  },

  async create({ flags, terminal, answer }) {
    const place = needTeam(await ledgerPlace(flags));
    const { createTeamLedger } = await import('../../ledger/postgres/create.ts');
    await createTeamLedger(place);
    tellOfTeam(`A new ledger begins in ${place.address.shown}`, place, terminal, answer);
  },

  async share({ flags, file, terminal, answer }) {
    const { address, key, files } = needTeam(await ledgerPlace(flags));
    const text = { ledger: address.shown, key: keyAsText(key ?? keyBeside(files, address.shown)) };
    writeWhole(file, `${JSON.stringify(text)}\n`, { mode: ownerOnly, flag: 'wx' });
    terminal.say(
      `${file} holds the address and the key of the ledger, and no password. Give it to a colleague in a way that others cannot read. The colleague runs: dealsheet ledger join ${file}`,
    );
    answer.give({ ledger: address.shown, file });
  },

  async join({ flags, file, terminal, answer }) {
    const shared = sharedIn(file);
    const place = await teamPlaceOf(shared.ledger, flags);
    makeKeyBeside(place.files, keyInText(shared.key));
    await withLedger({ ledger: place.address.shown }, (ledger) => ledger.runs());
    await storeLedger(place.address.shown);
    terminal.say(`The ledger ${place.address.shown} is used from now on: it is named in ${ownConfigurationPath}.`);
    answer.give({ ledger: place.address.shown });
  },

  async move({ flags, terminal, answer }) {
    refusePasswordSeen(flags.to ?? '');
    const path = needFile(await ledgerPlace(flags));
    const place = await teamPlaceOf(flags.to ?? '', flags);
    const { moveLedger } = await import('../../ledger/postgres/create.ts');
    const moved = await moveLedger(path, place);
    tellOfTeam(`The ledger ${path} has moved to ${place.address.shown} with ${rows(moved)}`, place, terminal, answer);
  },
};

function tellOfTeam(what: string, { address, files }: TeamPlace, terminal: Terminal, answer: JsonAnswer): void {
  const keyPath = keyPathOf(files);
  terminal.say(
    `${what}. Its key is in ${keyPath}, and nowhere else: keep a copy of it. Name the ledger in ${ownConfigurationPath}: "ledger": "${address.shown}"`,
  );
  answer.give({ ledger: address.shown, key: keyPath });
}

function needFile(place: string | TeamPlace): string {
  if (typeof place === 'string') return place;
  throw errorOf('ledger-of-team', { ledger: place.address.shown });
}

function needTeam(place: string | TeamPlace): TeamPlace {
  if (typeof place !== 'string') return place;
  throw errorOf('ledger-in-file', { path: place });
}

const sharedSchema = z.strictObject({ ledger: z.string(), key: z.string() });

function sharedIn(file: string): z.output<typeof sharedSchema> {
  try {
    return sharedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw errorOf('no-shared-ledger', { path: file }, cause);
  }
}
