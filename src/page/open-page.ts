/** Starts the page: its thread, its server, and the browser that shows it. */
import { fileURLToPath } from 'node:url';
import { type Door, makeDoor, openInBrowser } from './door.ts';
import { pageFolder, tidyPageFolder } from './past-runs.ts';
import { startPageServer } from './server.ts';
import { keyOfProfile, type PageFlags } from './services.ts';
import { Workroom } from './workroom.ts';

export interface PageOptions {
  readonly flags: PageFlags;
  /** The profile to begin with; `null` for a rehearsal. */
  readonly profile: string | null;
  readonly file: string | null;
}

export interface OpenPage {
  /** The file that leads a browser to the page; it goes with the page. */
  readonly door: Door['path'];
  /** Where a tab that was closed finds the page again. */
  readonly url: string;
  close(): Promise<void>;
}

/** Compiled, this file is part of a bundle beside that of the thread; the client has a folder of its own. */
const built = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/cli/', import.meta.url)
  : new URL('./', import.meta.url);

export async function openPage({ flags, profile, file }: PageOptions): Promise<OpenPage> {
  const service = profile === null ? null : keyOfProfile(profile);
  const room = new Workroom(new URL('page-worker.js', built), { flags, service });
  const clientFolder = fileURLToPath(new URL('../page', built));
  const uploads = pageFolder(flags);
  tidyPageFolder(uploads);
  const server = await startPageServer({ room, clientFolder, uploads });
  const door = makeDoor(server.url, server.session.code);
  // What cannot be read is told on the page.
  if (file !== null) room.open(file).catch(() => {});
  openInBrowser(door);
  return {
    door: door.path,
    url: server.url,
    async close() {
      await room.close();
      await server.close();
      door.close();
    },
  };
}
