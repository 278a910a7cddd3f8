import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  type Context,
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import packageJson from '../../package.json' with { type: 'json' }
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { noSpan, type SpanStart, type TraceParent, type Tracer, type TraceSpan } from '../base/tracing.ts'

export interface TracerOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Of the traces that begin here, and of those that callers have begun who are not trusted. */
  readonly ratio: number
  readonly trustsCallers: boolean
  readonly serviceName: string
  count(outcome: 'recorded' | 'exported' | 'failed', by: number): void
  readonly log: Log
}

const mostWaiting = 2_048
const sendMilliseconds = 5_000
// A collector that does not answer holds up no stop for longer.
const endMilliseconds = 3_000
// Whatever an attribute is made of.
const longestAttribute = 2_000

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/**
 * Nothing of it is registered for the whole process: servers of one process, as in tests, record each for itself. What is under way is
 * known by a storage of our own, as the packages would do.
 */
export function createTracer(options: TracerOptions): Tracer {
  const ratio = new TraceIdRatioBasedSampler(options.ratio)
  const news = createNews(options)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': packageJson.version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: new AlwaysOnSampler(),
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanLimits: { attributeValueLengthLimit: longestAttribute },
    spanProcessors: [counting(options), processorOf(options, news)],
  })
  const tracer = provider.getTracer('quire', packageJson.version)
  const propagator = new W3CTraceContextPropagator()
  const underWay = new AsyncLocalStorage<Context>()

  /** What a span goes on from; undefined where it would be a part of nothing. */
  function contextOf({ parent, kind }: SpanStart): Context | undefined {
    if (parent === undefined) return underWay.getStore()
    if (parent === null) return ROOT_CONTEXT
    const extracted = propagator.extract(ROOT_CONTEXT, parent, byName)
    // What this server has stored itself was decided here.
    return kind === 'server' && !options.trustsCallers ? decidedHere(extracted) : extracted
  }

  /** Who calls says of which trace a request is a part, and the share says whether that is recorded. */
  function decidedHere(context: Context): Context {
    const caller = trace.getSpanContext(context)
    if (caller === undefined) return context
    const isRecorded = ratio.shouldSample(context, caller.traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
    return trace.setSpanContext(context, { ...caller, traceFlags: isRecorded ? TraceFlags.SAMPLED : TraceFlags.NONE })
  }

  return {
    isOn: true,

    async run(start, work) {
      const context = contextOf(start)
      if (context === undefined) return work(noSpan)
      const { name, kind, attributes } = start
      const span = tracer.startSpan(
        name,
        { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], ...(attributes && { attributes: { ...attributes } }) },
        context,
      )
      try {
        return await underWay.run(trace.setSpan(context, span), work, spanOver(span))
      } catch (error) {
        fail(span, typeOf(error))
        throw error
      } finally {
        span.end()
      }
    },

    current() {
      const context = underWay.getStore()
      if (context === undefined) return undefined
      const carrier: { traceparent?: string; tracestate?: string } = {}
      propagator.inject(context, carrier, { set: (to, name, value) => Object.assign(to, { [name]: value }) })
      const { traceparent, tracestate } = carrier
      return traceparent === undefined ? undefined : { traceparent, ...(tracestate !== undefined && { tracestate }) }
    },

    async end() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        news.tell(new Error('it did not answer before the server ended'))
        late.resolve()
      }, endMilliseconds)
      // What could not be sent was told already.
      await Promise.race([provider.shutdown().catch(() => {}), late.promise])
      clearTimeout(timer)
    },
  }
}

const byName = {
  get: (parent: TraceParent, name: string) => (name === 'traceparent' ? parent.traceparent : parent.tracestate),
  keys: (parent: TraceParent) => Object.keys(parent),
}

function spanOver(span: RecordedSpan): TraceSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (type) => fail(span, type),
  }
}

function fail(span: RecordedSpan, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', type)
}

/** A word: what an error says may name documents and people. */
function typeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof Error ? error.name : typeof error
}

function counting({ count }: TracerOptions): SpanProcessor {
  return {
    onStart() {},
    onEnd: (span: ReadableSpan) => {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) count('recorded', 1)
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  }
}

function processorOf(options: TracerOptions, news: CollectorNews): SpanProcessor {
  const exporter = new OTLPTraceExporter({ url: options.url, headers: { ...options.headers }, timeoutMillis: sendMilliseconds })
  return new BatchSpanProcessor({
    exporter: telling(exporter, options, news),
    maxQueueSize: mostWaiting,
    exportTimeoutMillis: sendMilliseconds,
  })
}

interface CollectorNews {
  /** Why spans could not be sent; undefined when they were. */
  tell(failure: Error | undefined): void
}

/** Tells the log when a collector stops taking spans, and when it takes them again. */
function createNews({ url, log }: TracerOptions): CollectorNews {
  const collector = new URL(url).origin
  let isFailing = false
  return {
    tell(err) {
      if (err !== undefined && !isFailing)
        log.warn({ event: 'trace.notSent', collector, err }, 'the collector takes no traces; they are lost')
      if (err === undefined && isFailing) log.info({ event: 'trace.sentAgain', collector }, 'the collector takes traces again')
      isFailing = err !== undefined
    },
  }
}

function telling(exporter: SpanExporter, { count }: TracerOptions, news: CollectorNews): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS
        count(isSent ? 'exported' : 'failed', spans.length)
        news.tell(isSent ? undefined : (result.error ?? new Error('no reason was given')))
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
