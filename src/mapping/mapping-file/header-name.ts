/**
 * When two headers of somebody else's sheet are the same: whatever their case and blanks, and by every other sign, for `Rate %`
 * is not `Rate $`, and `Amount (2)` is not `Amount 2`. What our own templates forgive in a header counts here.
 */

export function headerName(header: string): string {
  return header.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
