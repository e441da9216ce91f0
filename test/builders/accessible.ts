/** A page that everybody can use, on a phone and at a desk. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const desk = { width: 1280, height: 900 };
const phone = { width: 360, height: 740 };
const isLong = process.env.DEALSHEET_LONG === '1';

/** Nothing lies beside the screen, and axe finds nothing: at a desk, in the long form on a phone too. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const size of [phone, desk]) {
    await page.setViewportSize(size);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow, `${size.width} pixels`).toBeLessThanOrEqual(0);
    if (size === phone && !isLong) continue;
    // Other than in this mode, axe opens a page of its own, to join what it finds in frames; there are none.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}
