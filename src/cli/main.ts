#!/usr/bin/env node
/** The command `dealsheet`. */
import { setFlagsFromString } from 'node:v8';
import { hideBin } from 'yargs/helpers';
import { run } from './command-line.ts';
import { limitHeapGrowth } from './heap-growth.ts';
import { dieByTheWayOut } from './interruption.ts';

limitHeapGrowth();
/** With fewer functions put into one, compiling takes 1.6 s of CPU and not 2.1 s in a load of 10,000 rows, which runs as fast. */
setFlagsFromString('--max-inlined-bytecode-size-cumulative=150');

dieByTheWayOut();
process.exitCode = await run(hideBin(process.argv));
