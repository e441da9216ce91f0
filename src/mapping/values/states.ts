/** US states: a two-letter code or the name. Anything else is sent as it is, with a warning: the interface has no list. */
import { valueMessage } from '../../messages/values.ts';
import { changed, type FilledCell, type Reading, shownText, value } from '../reading.ts';

const codes = new Set(
  (
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI UM AA AE AP'
  ).split(' '),
);

const names = new Set(
  (
    'alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,hawaii,idaho,illinois,' +
    'indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,' +
    'montana,nebraska,nevada,new hampshire,new jersey,new mexico,new york,north carolina,north dakota,ohio,oklahoma,' +
    'oregon,pennsylvania,rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,washington,' +
    'west virginia,wisconsin,wyoming,district of columbia,puerto rico,guam,american samoa,virgin islands'
  ).split(','),
);

export function isState(text: string): boolean {
  const trimmed = text.trim();
  return codes.has(trimmed.toUpperCase()) || names.has(trimmed.toLowerCase());
}

export function readState(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  if (codes.has(text) || names.has(text.toLowerCase())) return value(text);
  const upper = text.toUpperCase();
  if (codes.has(upper)) return changed(upper, valueMessage('read-as', { read: upper }));
  return changed(text, valueMessage('not-a-state'));
}
