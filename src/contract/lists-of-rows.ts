/**
 * Which lists of a bulk answer tell of its rows, where they stand under a name that the contract does not know. The
 * interface does not show that answer (4.11), so all of this is an assumption. Names are compared in small letters,
 * without punctuation.
 */

/** Hold the ids of new transactions as texts. */
export const namesOfRowIds =
  /^(?:new|all|created|inserted|added|imported)?(?:transactions?|records?|rows?|items?|entr(?:y|ies))?(?:ids?|guids?|uuids?|keys?|references?)$/;

/** Hold an item for each row, which may be a text: an id, or why there is none. */
export const namesOfRows =
  /^(?:new|all|created|inserted|added|imported)?(?:(?:transactions?|records?|rows?|items?|entr(?:y|ies))(?:results?|responses?|list)?|results?|responses?|outcomes?|output|payload|objects?|list)$/;

/** Hold other records, or things around a request: their number says nothing about that of the rows. */
export const namesOfOtherThings =
  /(?:deals|companies|merchants|customers|clients|funders|lenders|investors|brokers|leads|submissions|loans|schedules?|installments|balances|accounts|owners|users|contacts|notes|attachments|documents|files|tags|labels|categories|links|columns|fields|rules|events|jobs|tasks|batches|requests|imports|uploads|runs)$/;

/** Hold a record of another kind, or some: its state and its counts are not those of the rows. */
export const namesOfOtherRecords =
  /(?:deal|compan(?:y|ie)|merchant|customer|client|funder|lender|investor|broker|lead|submission|loan|schedule|installment|balance|account|owner|user|contact)s?$/;

/** Stand around the rows of a request, also with an id of their own. */
export const namesOfEnvelopes = /^(?:batch|bulk|import|upload|load|job|request|response|result|data)$/;

/** Hold the id of an item, where its list is that of rows; that of a row may be its number. */
export const namesOfItemIds = /^(?:transaction|record|item|entry)?(?:id|guid|uuid)$/;

/** Hold a number that is one of the many things around a row: `retries`, `fee`. */
export const namesOfAmounts =
  /(?:[^o]s|count|total|amount|sum|fee|cost|price|rate|balance|version|size|quantity|score|priority)$/;
/** Hold the place of a row in what was sent, where they hold a whole number that may be one. */
export const namesOfPlaces =
  /^(?:row|line|item|record|entry|transaction|request|input|source|original|array|batch|list)?(?:idx|index|i|n|no|nr|num|number|pos|position|ord|order|ordinal|seq|sequence|sequenceno|sequencenumber|slot|place|offset)$/;

/** All ids that the interface shows have one. */
export const markOfId = /\d/;
