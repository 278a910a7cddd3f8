import type { Log } from '../base/log.ts'
import { LabelledCounter, type Metrics } from '../base/metrics.ts'
import { defineProblem } from '../base/problem.ts'
import { offTracer, type Tracer } from '../base/tracing.ts'
import type { SettingValues } from '../settings/define-settings.ts'
import type { traceSettings } from './trace-settings.ts'

const traceHeadersWrong = defineProblem(
  'traceHeadersWrong',
  'invalid',
  (_: object) => 'QUIRE_TRACE_HEADERS must be a list of name=value with commas between them.',
)

/** Sends traces where the settings say. The packages for it are loaded where there is such a place. @throws traceHeadersWrong */
export async function openTracer(
  settings: SettingValues<typeof traceSettings>,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): Promise<Tracer> {
  const { traceUrl, traceRatio, traceTrustCallers, traceName, traceHeaders } = settings
  if (traceUrl === undefined) return offTracer
  const spans = new LabelledCounter(
    'quire_trace_spans_total',
    'Spans of traces: recorded ones, and what became of them; those that are neither exported nor failed wait, or found no place to wait',
  )
  metrics.add(() => [spans.family()])
  const { createTracer } = await import('./open-telemetry.ts')
  return createTracer({
    url: tracesAt(traceUrl),
    headers: parseHeaders(traceHeaders),
    ratio: Number(traceRatio),
    trustsCallers: traceTrustCallers,
    serviceName: traceName,
    count: (outcome, by) => spans.add({ outcome }, by),
    log,
  })
}

/** Collectors take traces there, unless a path says where else. */
function tracesAt(given: string): string {
  const url = new URL(given)
  if (url.pathname === '/') url.pathname = '/v1/traces'
  return url.href
}

function parseHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x20-\x7e]*?)\s*$/.exec(pair))
  return Object.fromEntries(
    pairs.map((pair) => {
      if (pair === null) throw traceHeadersWrong({})
      return [pair[1] ?? '', pair[2] ?? '']
    }),
  )
}
