/** The error values of spreadsheet programs as a CSV file has them: in the language of the program that wrote it. */

const inEnglish =
  '#N/A #REF! #VALUE! #DIV/0! #NAME? #NULL! #NUM! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN! #EXTERNAL! #PYTHON! #TIMEOUT! #GETTING_DATA #ERROR!';
const inGerman = '#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD!';
const inFrench = '#VALEUR! #NOM? #NOMBRE! #NUL! #PROPAGATION! #CHAMP!';
const inSpanish = '#N/D #¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NULO! #¡NUM! #¡DESBORDAMIENTO! #¡CALC!';
const inPortuguese = '#VALOR! #NOME? #NULO! #NÚM! #DESPEJAR!';
const inItalian = '#RIF! #VALORE! #NULLO!';
const inDutch = '#N/B #VERW! #WAARDE! #DEEL/0! #NAAM? #LEEG! #GETAL!';

const errors = new Set(
  [inEnglish, inGerman, inFrench, inSpanish, inPortuguese, inItalian, inDutch].flatMap((list) => list.split(' ')),
);

export function isSpreadsheetError(text: string): boolean {
  return errors.has(text);
}
