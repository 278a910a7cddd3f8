/** Where a trace goes on from, in the form in which programs hand it to each other (W3C Trace Context). */
export interface TraceParent {
  readonly traceparent: string
  readonly tracestate?: string
}

/** By names of OpenTelemetry where it has one, and never with what documents hold, or what somebody must not know. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean }

export interface SpanStart {
  readonly name: string
  /** Absent: something inside the process. */
  readonly kind?: 'server' | 'client' | 'consumer'
  readonly attributes?: SpanAttributes
  /**
   * What it goes on from; null: it begins a trace of its own. Absent: it is a part of what is under way, and is not recorded where nothing
   * is.
   */
  readonly parent?: TraceParent | null | undefined
}

/** Something that takes time, while it does. */
export interface TraceSpan {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** @param type a word for the kind of failure */
  fail(type: string): void
}

/**
 * Records what a server does for a request, and for how long, for a collector of traces. Where none is set nothing is recorded, nothing
 * loaded, and `run` is a call of its work.
 */
export interface Tracer {
  /** What would be put together in vain is not. */
  readonly isOn: boolean
  /** What the work throws is the failure of the span, and is thrown. */
  run<Result>(start: SpanStart, work: (span: TraceSpan) => Promise<Result>): Promise<Result>
  /** Of what is under way: for a program that is called, or for what is done later. */
  current(): TraceParent | undefined
  /** Sends what is left, but does not wait for long. */
  end(): Promise<void>
}

/** Of what is not recorded. */
export const noSpan: TraceSpan = { rename() {}, set() {}, fail() {} }

export const offTracer: Tracer = {
  isOn: false,
  run: (_, work) => work(noSpan),
  current: () => undefined,
  end: async () => {},
}
