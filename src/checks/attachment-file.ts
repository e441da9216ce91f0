/** Reports a named attachment that is missing or may not be sent. */
import { originOf } from '../mapping/column.ts';
import { checkMessage } from '../messages/checks.ts';
import { shortened } from '../messages/message.ts';
import { type Check, found } from './check.ts';

export const attachmentFile: Check = {
  codes: ['attachment-file'],
  begin({ kind, columns }) {
    const file = columns.find((column) => column.use === 'field' && column.field.path === 'file');
    if (!kind.sending.hasFile || file === undefined) return null;
    const place = { column: originOf(file), label: 'File' };
    return {
      *row({ body }, _, fault) {
        if (fault !== null)
          yield found(checkMessage('attachment-file', { file: shortened(String(body.file)), fault }), place);
      },
    };
  },
};
