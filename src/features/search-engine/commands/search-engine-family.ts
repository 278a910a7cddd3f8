import { stringifyJson } from '../../../base/json.ts'
import {
  type CommandContext,
  type CommandFamily,
  defineCommand,
  type ExitCode,
  exitCodes,
  jsonOption,
} from '../../../command/command.ts'
import { shownNumber } from '../../../command/progress-bar.ts'
import { watchStopSignal } from '../../../command/stop-signal.ts'
import type { Repository } from '../../../core/session.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { newestPosition, readerPosition } from '../../outbox/index.ts'
import { findState, outboxReader, wantRebuild } from '../engine-state.ts'
import { createSearchEngine, type SearchEngine } from '../search-engine.ts'
import { searchEngineSettings } from '../settings.ts'

const shownSettings = [
  'data',
  'databaseUrl',
  'databaseSchema',
  'repositories',
  ...Object.keys(searchEngineSettings),
  'logLevel',
  'config',
]

const rebuildOptions = defineSettings({
  anew: { type: 'boolean', default: false, help: 'Begin again, also where an earlier rebuild did not come to its end' },
})

/** The engine beside the database, looked after without a browser. */
export const searchEngineFamily: CommandFamily = {
  kind: 'family',
  name: 'search-engine',
  summary: 'look after the search engine beside the database',
  commands: {
    rebuild: async () =>
      defineCommand({
        name: 'search-engine rebuild',
        summary: 'put all documents into a new index, which serves when it has them',
        shownSettings,
        options: { ...rebuildOptions, ...jsonOption },
        notes: [
          'Servers may run meanwhile, and the old index serves until then. One that was stopped goes on where it was; where a server runs\n' +
            'that feeds the engine, it does the work, and this waits for it.',
        ],
        run: rebuild,
      }),
    status: async () =>
      defineCommand({
        name: 'search-engine status',
        summary: 'say which index serves, and how far the engine is behind',
        shownSettings,
        options: jsonOption,
        run: showStatus,
      }),
  },
}

type RebuildCall = CommandContext<unknown, { readonly anew: boolean; readonly json: boolean }, object>
type StatusCall = CommandContext<unknown, { readonly json: boolean }, object>

async function rebuild({ options, openServices, print, complain, terminal }: RebuildCall): Promise<ExitCode> {
  const { services, close } = await openServices()
  const values = services.valuesOf(searchEngineSettings)
  const stop = watchStopSignal()
  const ending = new AbortController()
  const watching = setInterval(() => stop.isStopped() && ending.abort(), 200)
  let engine: SearchEngine | undefined
  try {
    if (values.searchEngineUrl === undefined) {
      complain('quire: no search engine is named: give searchEngineUrl')
      return exitCodes.usage
    }
    engine = createSearchEngine(values, services)
    for (const repository of services.repositories.values()) {
      if (options.anew || !(await isUnderWay(engine, repository))) await wantRebuild(repository)
      const draw = (walked: number) => terminal?.draw(`${repository.name}: documents up to number ${shownNumber(walked)}`)
      await engine.buildAll(repository, draw, ending.signal)
      terminal?.draw('')
      if (ending.signal.aborted) {
        complain('quire: stopped; the same command goes on from here')
        return exitCodes.failed
      }
      const { serving } = await readStatus(repository)
      print(options.json ? stringifyJson({ repository: repository.name, serving }) : `${repository.name}: ${serving} serves.`)
    }
    return exitCodes.done
  } finally {
    clearInterval(watching)
    stop.end()
    await engine?.close()
    await close()
  }
}

async function isUnderWay({ signatureOf }: SearchEngine, repository: Repository): Promise<boolean> {
  const state = await findState(repository.store.reader.tables)
  return state?.building?.signature === signatureOf(repository)
}

async function showStatus({ options, openServices, print }: StatusCall): Promise<ExitCode> {
  const { services, close } = await openServices()
  try {
    for (const repository of services.repositories.values()) {
      const status = { repository: repository.name, ...(await readStatus(repository)) }
      print(options.json ? stringifyJson(status) : inWords(status))
    }
    return exitCodes.done
  } finally {
    await close()
  }
}

interface Status {
  readonly serving: string | null
  readonly building: string | null
  readonly walked: number
  readonly behind: number
}

async function readStatus(repository: Repository): Promise<Status> {
  const { tables } = repository.store.reader
  const state = await findState(tables)
  const newest = await newestPosition(repository)
  const read = (await readerPosition(tables, outboxReader)) ?? 0
  return {
    serving: state?.serving?.name ?? null,
    building: state?.building?.name ?? null,
    walked: state?.walked ?? 0,
    behind: Math.max(0, newest - read),
  }
}

function inWords({ repository, serving, building, walked, behind }: Status & { readonly repository: string }): string {
  const built = building === null ? '' : `, ${building} is built (documents up to number ${shownNumber(walked)})`
  return `${repository}: ${serving ?? 'no index'} serves${built}; ${shownNumber(behind)} events behind.`
}
