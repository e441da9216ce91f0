/** What each column of somebody else's file is: a draft to be put right, for this time or for every month. */
import { useState } from 'preact/hooks';
import type { ColumnDecided, ColumnShown, MappingShown } from '../protocol.ts';
import { ask } from './api.ts';
import { Check, Form, Press } from './parts.tsx';

const leftOut = '';
/** Of a column that nobody has decided: no choice is made for a person unasked. */
const undecided = '?';

export function Columns() {
  const [draft, setDraft] = useState<MappingShown | null>(null);
  const [said, setSaid] = useState<readonly ColumnDecided[]>([]);
  const [everyMonth, setEveryMonth] = useState(true);
  if (draft === null)
    return <Press onPress={async () => setDraft(await ask('draft', {}))}>Say what each column is</Press>;
  const sayingOf = (sheet: number, { header }: ColumnShown) =>
    said.find((one) => one.sheet === sheet && one.header === header);
  const shownFor = (sheet: number, column: ColumnShown) => {
    const own = sayingOf(sheet, column);
    if (own === undefined && column.isOpen) return undecided;
    return (own === undefined ? column.field : own.field) ?? leftOut;
  };
  const say = (one: ColumnDecided) =>
    setSaid([...said.filter(({ sheet, header }) => sheet !== one.sheet || header !== one.header), one]);
  const open = draft.sheets.flatMap(({ columns }, sheet) =>
    columns.filter((column) => column.isOpen && sayingOf(sheet, column) === undefined),
  );
  return (
    <Form
      class="columns"
      onSend={async () => {
        await ask('map', { decided: said, everyMonth });
        setDraft(null);
      }}
    >
      {draft.unknown.length > 0 && <p>Say above what the rows are of: {draft.unknown.join(', ')}.</p>}
      {draft.sheets.map(({ name, fields, columns }, sheet) => (
        <fieldset key={name}>
          <legend>{name === '' ? 'Columns' : name}</legend>
          {columns.map((column) => {
            const id = `column-${sheet}-${column.header}`;
            return (
              <label key={column.header} for={id}>
                <span>
                  {column.header}
                  {column.samples.length > 0 && <small> such as {column.samples.join(' | ')}</small>}
                </span>
                {column.isMade ? (
                  <span>several fields</span>
                ) : (
                  <select
                    id={id}
                    value={shownFor(sheet, column)}
                    onChange={({ currentTarget }) =>
                      say({ sheet, header: column.header, field: currentTarget.value || null })
                    }
                  >
                    {column.isOpen && (
                      <option value={undecided} disabled>
                        Choose …
                      </option>
                    )}
                    <option value={leftOut}>Leave out</option>
                    {column.suggestions.length > 0 && (
                      <optgroup label="It may be">
                        {column.suggestions.map((field) => (
                          <option key={field}>{field}</option>
                        ))}
                      </optgroup>
                    )}
                    {column.field !== null && !fields.includes(column.field) && <option>{column.field}</option>}
                    {fields.map((field) => (
                      <option key={field}>{field}</option>
                    ))}
                  </select>
                )}
              </label>
            );
          })}
        </fieldset>
      ))}
      <Check label="Every month, for files with the same headers" isOn={everyMonth} onTurn={setEveryMonth} />
      <button type="submit" class="main" disabled={open.length > 0}>
        {open.length > 0 ? `${open.length} to choose` : 'Use these columns'}
      </button>
    </Form>
  );
}
