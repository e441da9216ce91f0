/** What the views have in common. */
import type { Fault, PageState } from '../protocol.ts';

export const tabs = { file: 'This file', runs: 'Earlier loads', balances: 'Balances', services: 'Services' } as const;
export type Tab = keyof typeof tabs;

/** Does something, and shows why when it comes to nothing. */
export type Try = (work: () => Promise<unknown>) => Promise<void>;

export interface ViewParts {
  readonly state: PageState;
  readonly attempt: Try;
}

export function Told({ fault, onClose }: { readonly fault: Fault; readonly onClose?: () => void }) {
  return (
    <div class="told" role="alert">
      <p class="message">{fault.message}</p>
      {fault.remedy !== '' && <p>{fault.remedy}</p>}
      {onClose !== undefined && (
        <button type="button" onClick={onClose}>
          Close
        </button>
      )}
    </div>
  );
}
