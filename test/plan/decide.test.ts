/** The table of decisions, row by row: what is known of a row, and what happens to it. */
import { describe, expect, it } from 'vitest';
import type { LogicalRow, RowPhase } from '../../src/ledger/ledger.ts';
import { decide } from '../../src/plan/decide.ts';
import type { DecideOptions, Facts, SkipReason } from '../../src/plan/decision.ts';

const attempt = 2;

function rowKnownAs(phase: RowPhase, more: Partial<LogicalRow> = {}): LogicalRow {
  const sent = { run: 'r1', sheet: 'Deals', row: 2, sourceName: 'deals.csv', startedAt: '2026-11-01T00:00:00Z' };
  return {
    ...{ id: 1, kind: 'deals', phase, outcome: null, attempt, isToRepeat: false, firstRun: 'r1', runs: ['r1'] },
    ...{ record: phase === 'committed' ? 'deal_1' : null, company: null, url: null, content: null, fields: null },
    ...{ origin: 'deals.csv', ref: null, repeats: null, corrects: null, at: { ...sent, endedAt: null, order: [1, 2] } },
    ...more,
  };
}

const isIn = rowKnownAs('committed');
const isInDoubt = rowKnownAs('in-doubt');
const isToRepeat = rowKnownAs('in-doubt', { isToRepeat: true });
const isOpen = rowKnownAs('open');
const inByKey: Partial<Facts> = { known: isIn, foundBy: 'key' };
const inWithoutId: Partial<Facts> = { known: rowKnownAs('committed', { record: null }), foundBy: 'key' };
const inByPlace: Partial<Facts> = { known: isIn, foundBy: 'place' };
const doubtByKey: Partial<Facts> = { known: isInDoubt, foundBy: 'key' };
const openByKey: Partial<Facts> = { known: isOpen, foundBy: 'key' };
const isRejected = rowKnownAs('open', { outcome: 'rejected' });
const isInAsNo = rowKnownAs('committed', { record: 'no' });
const newRow: Facts = {
  isValid: true,
  foundBy: 'new',
  aside: null,
  copiesDiffer: false,
  known: null,
  saysNew: false,
  saysOther: false,
  saysIn: false,
  answer: null,
  waits: [],
  holds: [],
  isTurnOver: false,
};
const heldBy = (why: SkipReason): Partial<Facts> => ({ holds: [[why, isIn]] });
const here = { kind: 'created', id: 'deal_9', attempt } as const;
const notHere = { kind: 'not-created', attempt } as const;
const unclear = { kind: 'unclear', typed: 'no', isRounded: false, attempt } as const;
const again: Partial<DecideOptions> = { again: true };
const allowing = (code: string): Partial<DecideOptions> => ({ allow: new Set([code]) });

type Line = readonly [facts: Partial<Facts>, does: string, options?: Partial<DecideOptions>];

const table: Readonly<Record<string, Line>> = {
  'a new row goes out': [{}, 'send'],
  'a row that was refused before goes out': [{ known: isRejected }, 'send'],
  'but not in the run that goes on': [{ known: isRejected }, 'skip refused-before', { resumes: 'r1' }],
  'a wrong row does not': [{ isValid: false }, 'invalid invalid'],
  'nor one that a check leaves out': [{ aside: 'left-out', isValid: false }, 'skip left-out'],
  'nor one that nobody changed since its export': [{ aside: 'unchanged' }, 'skip unchanged'],
  'nor is one that was put back to its export': [
    { aside: 'unchanged', known: isIn },
    'skip already-loaded',
    { again: true },
  ],
  'which tells so': [{ aside: 'unchanged', known: isIn, saysIn: true, saysOther: true }, 'skip changed-since-loaded'],
  'also in doubt': [{ aside: 'unchanged', known: isToRepeat, saysOther: true }, 'hold in-doubt-otherwise'],
  'and the answer to its doubt counts': [{ aside: 'unchanged', known: isInDoubt, answer: notHere }, 'skip unchanged'],
  'nor one whose turn does not come': [{ isTurnOver: true }, 'leave not-its-turn'],
  'a held one is held also then': [{ isTurnOver: true, ...heldBy('later-update') }, 'hold later-update'],
  'one of a changed parent waits also then': [{ isTurnOver: true, waits: ['same-ref'] }, 'wait same-ref'],
  'until somebody says that the parent is the same': [{ waits: ['same-ref'] }, 'send', allowing('same-ref')],
  'a wrong row is wrong also then': [{ isTurnOver: true, isValid: false }, 'invalid invalid'],

  'a row that is in stays': [{ ...inByKey }, 'skip already-loaded'],
  'also when it cannot be read now': [{ ...inByKey, isValid: false }, 'skip already-loaded'],
  'also when its own id stands there': [{ ...inByKey, answer: { ...here, id: 'deal_1' } }, 'skip already-loaded'],
  'a row that is in and says something else is told': [
    { known: isIn, foundBy: 'ref', saysNew: true },
    'skip changed-since-loaded',
  ],
  'with the id of another record it is wrong': [{ ...inByKey, answer: here }, 'invalid ids-differ'],
  'or with what is no id': [{ ...inByKey, saysIn: true, answer: unclear }, 'invalid ids-differ'],
  'unless the service gave just that': [
    { known: isInAsNo, foundBy: 'key', saysIn: true, answer: unclear },
    'skip already-loaded',
  ],
  'an id names one that is in without': [{ ...inWithoutId, answer: here }, 'settle deal_9'],
  'but not one about an earlier try': [{ ...inWithoutId, answer: { ...here, attempt: 1 } }, 'invalid ids-differ'],
  'what is no id does not, and is told': [
    { ...inWithoutId, answer: { ...unclear, isRounded: true } },
    'invalid ids-differ',
  ],
  'with "not created" beside it, too': [{ ...inByKey, answer: notHere }, 'invalid ids-differ'],
  'but not for an answer to an earlier try': [
    { ...inByKey, answer: { ...notHere, attempt: 1 } },
    'skip already-loaded',
  ],
  'nor where its id is such a word': [{ known: isInAsNo, foundBy: 'key', answer: notHere }, 'skip already-loaded'],
  'it goes out once more when that is asked for': [{ ...inByKey }, 'send again', again],
  'a copy of it does not': [{ known: isIn, foundBy: 'copy' }, 'skip already-loaded', again],
  'nor does it in the run that goes on': [{ ...inByPlace }, 'skip already-loaded', { ...again, resumes: 'r1' }],
  'nor one that it began with and did not repeat': [
    { ...inByPlace, known: rowKnownAs('committed', { runs: ['r1', 'r2'] }) },
    'skip already-loaded',
    { ...again, resumes: 'r2' },
  ],
  'one that it repeats is held by nothing, as when it began': [
    { known: rowKnownAs('open', { repeats: 7 }), foundBy: 'place', ...heldBy('possible-duplicate') },
    'send',
    { ...again, resumes: 'r1' },
  ],
  'but one does that an earlier run brought in': [{ ...inByPlace }, 'send again', { ...again, resumes: 'r2' }],

  'a row in doubt is held': [{ ...doubtByKey }, 'hold in-doubt'],
  'and said to be so with other values': [{ ...doubtByKey, saysOther: true }, 'hold in-doubt-otherwise'],
  'an update that its load left on its way is repeated': [{ known: isToRepeat, foundBy: 'place' }, 'send'],
  'or in doubt still, where something speaks against it': [
    { known: isToRepeat, foundBy: 'place', ...heldBy('later-update') },
    'hold in-doubt',
  ],
  'and an id settles it': [{ known: isToRepeat, foundBy: 'key', answer: here }, 'settle deal_9'],
  'one that is being sent, whatever was typed about it': [
    { known: rowKnownAs('sending'), foundBy: 'key', answer: { kind: 'not-created', attempt: 1 } },
    'hold being-sent',
  ],
  'also when rows that are in go out once more': [{ ...doubtByKey }, 'hold in-doubt', again],
  'an id settles it': [{ ...doubtByKey, answer: here }, 'settle deal_9'],
  'so does a word without an id': [{ ...doubtByKey, answer: { ...here, id: null } }, 'settle'],
  'what was not created goes out': [{ ...doubtByKey, answer: notHere }, 'send not-created'],
  'unless its status says that it is in': [
    { ...doubtByKey, saysIn: true, answer: notHere },
    'hold answer-beside-status',
  ],
  'what is not understood settles nothing': [{ ...doubtByKey, answer: unclear }, 'hold answer-unclear'],
  'nor does an answer to an earlier try': [
    { ...doubtByKey, answer: { ...notHere, attempt: 1 } },
    'hold answer-to-other-attempt',
  ],

  'an id at a row that is not in is wrong': [{ ...openByKey, answer: here }, 'invalid id-of-row-not-in'],
  'and so is a status that is not true': [{ ...openByKey, saysIn: true }, 'invalid id-of-row-not-in'],
  'a key that the ledger does not know is held': [{ foundBy: 'unknown-key' }, 'hold unknown-key'],
  'or trusted where that is asked for': [{ foundBy: 'trusted', saysIn: true }, 'skip already-loaded'],
  'for one that is in doubt here, too': [
    { foundBy: 'trusted', saysIn: true, known: isInDoubt, answer: here },
    'settle deal_9',
  ],
  'a doubt is trusted too': [{ foundBy: 'trusted' }, 'hold in-doubt'],
  'and its answer': [{ foundBy: 'trusted', answer: notHere }, 'send'],
  'but not what contradicts its status': [
    { foundBy: 'trusted', saysIn: true, answer: notHere },
    'hold answer-beside-status',
  ],
  'a key of another kind is wrong': [{ foundBy: 'other-kind', known: isIn }, 'invalid key-of-another-kind'],
  'a Ref of several records holds a row for good': [
    heldBy('ref-of-several'),
    'hold ref-of-several',
    allowing('ref-of-several'),
  ],
  'a copy of a row does not go out': [{ foundBy: 'copy', known: isOpen }, 'skip copy-of-row'],
  'copies that differ are all wrong': [{ ...openByKey, copiesDiffer: true }, 'invalid copies-differ'],
  'unless the row is in': [{ ...inByKey, copiesDiffer: true }, 'skip already-loaded'],
  'or in doubt': [{ ...doubtByKey, copiesDiffer: true }, 'hold copies-differ'],

  'a child of one that is in without an id waits': [{ waits: ['parent-without-id'] }, 'wait parent-without-id'],
  'of one that is not in, it waits': [{ waits: ['waits-for-parent'] }, 'wait waits-for-parent'],
  'and one that may be a second line is told so first': [
    { waits: ['same-ref'], ...heldBy('equal-to-loaded-row') },
    'hold equal-to-loaded-row',
  ],

  'a row that is held goes out once somebody says that both are meant': [
    heldBy('equal-to-loaded-row'),
    'send',
    allowing('equal-to-loaded-row'),
  ],
};

describe('a decision', () => {
  it.each(Object.entries(table))('%s', (_, [facts, does, options]) => {
    const decided = decide({ ...newRow, ...facts }, { again: false, allow: new Set(), ...options });
    expect(inWords(decided)).toBe(does);
  });

  it('names the other row that holds this one back', () => {
    const decided = decide({ ...newRow, ...heldBy('possible-correction') }, { again: false, allow: new Set() });
    expect(decided).toMatchObject({ other: { record: 'deal_1' } });
  });
});

function inWords(decided: ReturnType<typeof decide>): string {
  if (decided.do === 'settle') return decided.id === null ? 'settle' : `settle ${decided.id}`;
  if (decided.do !== 'send') return `${decided.do} ${decided.why}`;
  return ['send', ...(decided.isAgain ? ['again'] : []), ...(decided.settles === null ? [] : [decided.settles])].join(
    ' ',
  );
}
