/** How a call to the service ends: with an answer to judge, or without one and with what is then known. */
import type { Message } from '../messages/message.ts';
import type { Answer } from './answer.ts';

export type CallEnd =
  | {
      readonly kind: 'answer';
      readonly verdict: 'success' | 'rejected' | 'in-doubt';
      readonly answer: Answer;
      readonly attempts: number;
      /** What came of an earlier try that may have been applied: a no to this one proves nothing about that one. */
      readonly earlierDoubt: Message | null;
    }
  | {
      readonly kind: 'no-answer';
      /** `no`: proven not applied. */
      readonly applied: 'no' | 'unknown';
      /** Whether the run stops, and the call was ended for that. */
      readonly isStopped: boolean;
      readonly attempts: number;
      readonly httpStatus: number | null;
      readonly message: Message;
    };
