/**
 * By what an answer with a good status is known to say no, or yes to a part alone. The interface documents one flag,
 * `success` (2.6), and no shape of an error (7.1), so all of this is an assumption, kept as lists that a profile can change.
 */
import * as z from 'zod';

/** Names of how many rows are in, as a refusal would not use them: `count` may be that of errors. */
export const namesOfRowsMade = /(?:accepted|created|imported|loaded|inserted|saved|stored|added|made|written)/i;

/** Words of a no to a part alone: `partial_success`, `COMPLETED_WITH_ERRORS`, `Some transactions could not be saved`. */
export const wordsOfPart =
  /(?<!\p{L})part(?:ial|ly)|\bsome (?:of (?:the |your )?)?(?:transactions|records|rows|items|entries|payments)\b|(?:completed?|finished|processed|imported|loaded|saved|success|succeeded|successful|successfully)[\s_-]*with[\s_-]*(?:some[\s_-]*)?(?:errors?|failures?|exceptions?|rejections?)/iu;

const wereMade = '(?:accepted|created|imported|loaded|inserted|saved|stored|added|written|recorded|processed)';
const someOfThem =
  '(?:some (?:of (?:the |your )?)?(?:transactions|records|rows|items|entries|payments)|not (?:all|every)|all (?:but|except)|only (?:some|part))';
/** Of a rule: `Some rows cannot be accepted`, `Partial imports are not supported`. */
const noRule = '(?![^.;]*\\b(?:can|cannot|may|must|should|not (?:allowed|supported|permitted))\\b)';
/** Words of a yes to a part, which stay one beside a status that refuses: `Some rows were saved`, `Partially imported`. */
export const wordsOfPartMade = new RegExp(
  [
    `\\b${someOfThem}\\b${noRule}[^.;]*\\b${wereMade}\\b`,
    `(?<!\\p{L})part(?:ial|ly|ially)[\\s_-]*(?:success|succe|fail|import|load|sav|process|complet|accept|creat|added|insert|stor|writ)${noRule}`,
    '(?<!\\b(?:validation|checks?) )(?:completed?|finished|processed|imported|loaded|saved|success\\p{L}*|succeeded)[\\s_-]*with[\\s_-]*(?:some[\\s_-]*)?(?:errors?|failures?|exceptions?|rejections?)',
    '^\\W*partial(?:ly)?\\W*$',
  ].join('|'),
  'iu',
);

/** A status of a row that is taken, and of which nothing more is known yet. */
export const statusUnderWay = /^(?:pending|scheduled|submitted|received|processing|in[ _-]?progress|posted|new)$/i;

/** Words of a message or a status by which a row is taken, where it gives neither an id nor a word of a yes. */
export const wordsOfTaking =
  /\b(?:approved|booked|captured|cleared|entered|executed|in[ _-]?progress|logged|new|open|active|pending|posted|processing|received|recorded|registered|scheduled|settled|submitted)\b/i;

/** Tell something beside what became of a row: its kind, or what to bear in mind. */
export const namesOfAsides = /(?:type|level|severity|warnings?)$/i;

const names = (...usual: string[]) => z.array(z.string().min(1)).default(usual);

/**
 * Names are compared without case and punctuation, and without the words of counting: `failed` stands for `failedCount`,
 * `total_failed` and `failed_rows` too. What a row has sent itself and gets back as it was is no sign of anything.
 */
export const answerSignsSchema = z.strictObject({
  /** Hold a yes, or the number of rows that are in. Whatever else they hold leaves a doubt. */
  flags: names('success', 'succeeded', 'successful', 'ok'),
  /** Hold how many rows are in, or which, or whether: fewer than were sent is no yes. A time or a text says nothing. */
  taken: names(
    'count',
    'accepted',
    'created',
    'processed',
    'imported',
    'loaded',
    'inserted',
    'upserted',
    'recorded',
    'saved',
    'stored',
    'added',
    'made',
    'written',
    'affected',
    'ids',
    'valid',
    'posted',
    'committed',
  ),
  /** The same in the answer to an update. */
  takenByUpdate: names('updated', 'accepted', 'processed', 'saved', 'stored', 'valid', 'matched', 'found', 'committed'),
  /** Hold which rows were refused, or how many, or whether: anything in them is a no. */
  refused: names(
    'failed',
    'failures',
    'failure',
    'rejected',
    'rejections',
    'rejection',
    'rejects',
    'refused',
    'refusals',
    'declined',
    'denied',
    'invalid',
    'unsuccessful',
  ),
  /** Hold what went wrong: anything in them is a no. */
  errors: names(
    'error',
    'errors',
    'err',
    'exception',
    'exceptions',
    'fault',
    'faults',
    'violations',
    'validationErrors',
    'fieldErrors',
    'issues',
    'problems',
  ),
  /** Hold rows that were neither made nor refused, or a job that is still to do so: anything in them leaves a doubt. */
  passedOver: names(
    'skipped',
    'ignored',
    'duplicate',
    'duplicates',
    'unprocessed',
    'partial',
    'alreadyExists',
    'conflicts',
    'dryRun',
    'job',
    'task',
  ),
  /** Hold a word (see below), a truth value, or an HTTP status, which means what it means for the whole answer (`outcomes`). */
  statuses: names('status', 'statusCode', 'httpStatus', 'state', 'result', 'resultCode', 'outcome', 'code'),
  /** Tell in words what became of the rows. A no in them leaves a doubt where the answer gives no id and says yes nowhere. */
  messages: names(
    'message',
    'messages',
    'msg',
    'detail',
    'details',
    'title',
    'reason',
    'warning',
    'warnings',
    'type',
    'level',
    'severity',
    'code',
  ),
  /** Objects and lists around or beside the record, whose content is looked at like the answer itself. */
  around: names(
    'data',
    'result',
    'results',
    'response',
    'payload',
    'body',
    'items',
    'status',
    'outcome',
    'meta',
    'summary',
    'counts',
    'stats',
    'totals',
  ),
  words: z
    .strictObject({
      no: names(
        ...['false', 'error', 'errors', 'errored', 'err', 'fail', 'fails', 'failed', 'failure', 'failures'],
        ...['reject', 'rejected', 'rejection', 'refused', 'refusal', 'denied', 'declined', 'invalid', 'ko', 'nok'],
        ...['unsuccessful', 'aborted', 'exception', 'fault', 'forbidden', 'unauthorized', 'dropped'],
        ...['discarded', 'unprocessable', 'unable', 'impossible', 'rejections', 'rollback'],
      ),
      /** Neither yes nor no. */
      unclear: names(
        ...['partial', 'partially', 'partly', 'some', 'duplicate', 'duplicated', 'already', 'exists', 'skipped'],
        ...['ignored', 'unprocessed', 'unknown', 'timeout', 'cancelled', 'canceled', 'queued', 'enqueued'],
      ),
      yes: names(
        ...['true', 'yes', 'ok', 'okay', 'success', 'successful', 'successfully', 'succeeded', 'created', 'added'],
        ...['saved', 'accepted', 'stored', 'inserted', 'imported', 'updated', 'processed', 'complete', 'completed'],
        ...['done', 'made', 'passed', 'found', 'valid', 'taken'],
      ),
      /** Turn the word behind them round: `not created` is a no, `no errors` is none. */
      negating: names('not', 'no', 'non', 'without', 'never', 'cannot', 'zero', '0'),
    })
    .prefault({}),
});

export type AnswerSigns = z.output<typeof answerSignsSchema>;
