/** Days that nobody may have meant: what programs write where they have none (`0001-01-01`, `9999-12-31`), and slips in a year. */
import { dateMessage } from '../../messages/dates.ts';
import { noted, type Reading } from '../reading.ts';

/** With which spreadsheets begin, and databases fill what is blank. */
const firstOf1900 = '1900-01-01';
const lastPlausible = '2199-12-31';

const far = dateMessage('day-far-away');

/** The interface sets no bounds: such a day is told, and sent. */
export function toldIfFar(reading: Reading): Reading {
  if (!reading.ok || typeof reading.value !== 'string') return reading;
  return reading.value <= firstOf1900 || reading.value > lastPlausible ? noted(reading, far) : reading;
}
