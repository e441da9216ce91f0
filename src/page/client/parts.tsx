/** Shared components of the views, and number formats. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fault, PageState, StateCount, Wanted } from '../protocol.ts';
import { attempt, fetchFile } from './api.ts';

export const tabs = { file: 'This file', runs: 'Earlier loads', balances: 'Balances', services: 'Services' } as const;
export type Tab = keyof typeof tabs;

export interface ViewParts {
  readonly state: PageState;
  /** @param run the run whose rows in doubt to show */
  readonly show: (tab: Tab, run?: string) => void;
}

interface PressParts extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'onClick'> {
  readonly onPress: () => unknown;
}

/** A button. If its action fails, the page shows why. */
export function Press({ onPress, ...others }: PressParts) {
  return <button {...others} type="button" onClick={() => void attempt(async () => onPress())} />;
}

interface FormParts {
  readonly class: string;
  readonly onSend: () => unknown;
  readonly children: ComponentChildren;
}

export function Form({ class: name, onSend, children }: FormParts) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => onSend());
      }}
    >
      {children}
    </form>
  );
}

interface FieldParts {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly isSecret?: boolean;
}

export function Field({ label, onText, isSecret = false, ...others }: FieldParts) {
  const look = isSecret ? ({ type: 'password', autoComplete: 'off' } as const) : {};
  return (
    <label>
      <span>{label}</span>
      <input {...others} {...look} onInput={({ currentTarget }) => onText(currentTarget.value)} />
    </label>
  );
}

interface CheckParts {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => unknown;
}

export function Check({ label, isOn, onTurn }: CheckParts) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onTurn(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

interface ChoiceParts {
  readonly label: ComponentChildren;
  /** The text of the choice of none; left out where one must be chosen. */
  readonly none?: string;
  readonly value: string | null;
  readonly among: readonly (readonly [key: string, text: string, ...further: unknown[]])[];
  readonly onPick: (value: string | null) => void;
  readonly disabled?: boolean;
  /** Whether the person has to choose: nothing is chosen yet. */
  readonly isOpen?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** The value until the person chooses: to choose none is a choice too. */
export const undecided = '?';

export function Choice({ label, none, value, among, onPick, disabled, isOpen, class: name, children }: ChoiceParts) {
  return (
    <label class={name}>
      <span>{label}</span>
      <select
        value={value ?? ''}
        disabled={disabled}
        onChange={({ currentTarget }) => onPick(currentTarget.value || null)}
      >
        {isOpen && (
          <option value={undecided} disabled>
            Choose …
          </option>
        )}
        {none !== undefined && <option value="">{none}</option>}
        {among.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
        {children}
      </select>
    </label>
  );
}

export function FaultNote({ fault, onClose }: { readonly fault: Fault; readonly onClose?: () => void }) {
  return (
    <div class="fault" role="alert">
      <p class="message">{fault.message}</p>
      {fault.remedy !== '' && <p>{fault.remedy}</p>}
      {onClose !== undefined && <Press onPress={onClose}>Close</Press>}
    </div>
  );
}

export function Notices({ notices }: { readonly notices: readonly string[] }) {
  if (notices.length === 0) return null;
  return (
    <ul class="notices">
      {notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

export function Counts({ states }: { readonly states: readonly StateCount[] }) {
  return (
    <ul class="counts">
      {states.map(([state, status, rows]) => (
        <li key={state} class={state}>
          <strong>{count(rows)}</strong> {status}
        </li>
      ))}
    </ul>
  );
}

/** A button that downloads a file and shows its notices. */
export function Download({ wanted, label }: { readonly wanted: Wanted; readonly label: string }) {
  const [notes, setNotes] = useState<readonly string[]>([]);
  const bring = async () => {
    setNotes([]);
    setNotes(['Saved to your downloads.', ...(await fetchFile(wanted))]);
  };
  return (
    <div class="bar">
      <Press onPress={bring}>{label}</Press>
      <span role="status">{notes.join(' ')}</span>
    </div>
  );
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function rows(value: number): string {
  return value === 1 ? '1 row' : `${count(value)} rows`;
}

export function countOf(states: readonly StateCount[], wanted: string): number {
  return states.find(([state]) => state === wanted)?.[2] ?? 0;
}

/** Formats a decimal text as an amount to the cent, without floating point. */
export function money(text: string | null): string {
  if (text === null) return '';
  const [whole = '0', cents = ''] = text.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
}
