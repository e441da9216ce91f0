/** One cell as XML: text inline, so that there is no table of strings to keep in memory. */

import { dateStyleIndex, styleIndex, topStyleIndex } from '../named-styles.ts';
import type { OutputValue, StyleName } from '../sheet-writer.ts';
import { serialOfDate } from './cell-value.ts';
import { xmlText } from './xml-text.ts';

/** Excel's own limit (ECMA-376, Excel specifications and limits). */
const longestText = 32_767;
const longestFormulaText = 255;

/** Keeps a link, or says that the sheet has no room for another. */
export type KeepLink = (address: string) => boolean;

/** @param isTall  a cell without a style of its own stands beside the others at the top, not at the bottom */
export function cellXml(
  value: OutputValue,
  place: string,
  style: StyleName,
  isTall: boolean,
  keepLink: KeepLink,
): string {
  if (value !== null && typeof value === 'object' && 'day' in value)
    return `<c r="${place}" s="${dateStyleIndex(style, value.time !== undefined)}"${dateXml(value)}`;
  const index = style === 'plain' && isTall ? topStyleIndex : styleIndex[style];
  return `<c r="${place}"${index === 0 ? '' : ` s="${index}"`}${contentXml(value, keepLink)}`;
}

type DateValue = Extract<OutputValue, { readonly day: string }>;

function dateXml({ day, time }: DateValue): string {
  const serial = serialOfDate(day, time);
  return serial === null ? textXml(time === undefined ? day : `${day} ${time}`) : numberXml(serial);
}

/** What stands behind the attributes of the place and the style. */
function contentXml(value: Exclude<OutputValue, DateValue>, keepLink: KeepLink): string {
  if (value === null) return '/>';
  if (typeof value === 'string') return textXml(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberXml(value) : textXml(String(value));
  if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v></c>`;
  if ('link' in value) return linkXml(value.link, value.text, keepLink);
  if ('formula' in value) return `><f>${xmlText(value.formula)}</f><v>${value.digits}</v></c>`;
  return isNumber(value.digits) ? numberXml(value.digits) : textXml(value.digits);
}

function numberXml(digits: number | string): string {
  return `><v>${digits}</v></c>`;
}

function textXml(text: string): string {
  if (text === '') return '/>';
  const keep = hasSpaceToKeep(text) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${keep}>${xmlText(fitText(text))}</t></is></c>`;
}

/** Beyond the links that a sheet may have, a formula does the same; where neither can be, the address is written. */
function linkXml(address: string, text: string, keepLink: KeepLink): string {
  const target = linkAddress(address);
  if (target !== null && keepLink(target)) return textXml(text);
  if (target === null || Math.max(target.length, text.length) > longestFormulaText) return textXml(address);
  const formula = `HYPERLINK("${target}","${text.replaceAll('"', '""')}")`;
  return ` t="str"><f>${xmlText(formula)}</f><v>${xmlText(text)}</v></c>`;
}

function isNumber(digits: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(digits) && Number.isFinite(Number(digits));
}

/** Whether programs would lose a space at an end, or a line break, without being asked to keep it. */
function hasSpaceToKeep(text: string): boolean {
  return text.trim().length !== text.length || text.includes('\n');
}

/** Excel refuses a file with a longer text; that it was cut is said in the cell itself. */
function fitText(text: string): string {
  if (text.length <= longestText) return text;
  const mark = ` … (cut: ${text.length} characters in all)`;
  return text.slice(0, longestText - mark.length).replace(/[\ud800-\udbff]$/, '') + mark;
}

const longestAddress = 2079;

/** The address with `%20` where it needs it, or `null`: for one that is no link, Excel calls the whole workbook damaged. */
export function linkAddress(address: string): string | null {
  if (!URL.canParse(address) || /\p{Surrogate}/u.test(address)) return null;
  const { username, password } = new URL(address);
  // `https://bank.example@evil.example` leads elsewhere than it seems to.
  if (username !== '' || password !== '') return null;
  const fit = address.replace(/[\u0000-\u0020\u007f<>"{}|\\^`]/g, encodeURIComponent);
  return fit.length > longestAddress ? null : fit;
}
