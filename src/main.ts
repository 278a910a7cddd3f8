#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Loading the server took 0.8 s, from the cache 0.5 s. It stands beside the modules because in the shared temporary folder,
// which is the default, another user of the machine could leave code for us to run.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/quire'))

const { commands } = await import('./cli/commands.ts')
const { endProcess, processSurroundings } = await import('./cli/process-surroundings.ts')
const { runCommandLine } = await import('./cli/run-command-line.ts')

await endProcess(await runCommandLine(process.argv.slice(2), commands, processSurroundings))
