import {
  acceptsType,
  type Converter,
  type ConverterWay,
  converterUnavailable,
  converterUnknown,
  type Dispatcher,
  familyOf,
  type NamedChain,
  noConverter,
  sourceTypeRefused,
  type TypedChain,
  type WorkingConverter,
} from './converter.ts'
import type { ProgramName } from './programs.ts'

/** One thing to do: a converter, the way in which it does it here, and the type that it makes. */
export interface PlannedStep {
  readonly converter: string
  readonly way: ConverterWay
  readonly target: string
}

/** What decides who converts a file. */
export interface ConversionPlanner {
  /**
   * The steps that a converter takes for files of a type. @throws converterUnknown, converterUnavailable, sourceTypeRefused
   */
  byName(name: string, mimeType: string): readonly PlannedStep[]
  /** The steps from one type to another; none where there is nothing to do. @throws noConverter, converterUnavailable */
  byType(mimeType: string, target: string): readonly PlannedStep[]
  /** Whether anything but a converter of all types could make a file of that type of it. */
  hasSpecific(mimeType: string, target: string): boolean
  find(name: string): Converter | undefined
}

export interface PlannerOptions {
  readonly converters: readonly Converter[]
  readonly has: (program: ProgramName) => boolean
  /** Whether a converter that is named takes only what it says that it takes. */
  readonly checksSources: boolean
}

// Converters that name each other would never come to an end.
const deepest = 8

/** Contract: blobs 6.2 to 6.4. */
export function createPlanner({ converters, has, checksSources }: PlannerOptions): ConversionPlanner {
  const byNames = new Map(converters.map((converter) => [converter.name, converter]))

  function planNamed(name: string, mimeType: string, depth: number): readonly PlannedStep[] {
    const converter = byNames.get(name)
    if (converter === undefined) throw converterUnknown({ converter: name })
    if (checksSources && !acceptsType(converter.sources, mimeType)) throw sourceTypeRefused({ converter: name, mimeType })
    const { destinations } = converter
    return planFor(converter, mimeType, destinations.includes(mimeType) ? mimeType : (destinations[0] ?? ''), depth)
  }

  function planFor(converter: Converter, mimeType: string, target: string, depth: number): readonly PlannedStep[] {
    if (depth > deepest) throw converterUnavailable({ converter: converter.name, missing: [] })
    if ('ways' in converter) return [planWay(converter, mimeType, target)]
    if ('steps' in converter) return planNames(converter, converter.steps, mimeType, depth)
    if ('types' in converter) return planTypes(converter, mimeType, depth)
    return planDispatch(converter, mimeType, depth)
  }

  function planWay(converter: WorkingConverter, mimeType: string, target: string): PlannedStep {
    const taking = converter.ways.filter(({ sources }) => sources === undefined || acceptsType(sources, mimeType))
    // A type that the converter names and none of its ways takes: it cannot be done here. Any other was let through on purpose.
    const possible = taking.length > 0 || acceptsType(converter.sources, mimeType) ? taking : converter.ways
    const way = possible.find(({ needs = [] }) => needs.every(has))
    if (way === undefined) throw converterUnavailable({ converter: converter.name, missing: missingOf(possible) })
    return { converter: converter.name, way, target }
  }

  const missingOf = (ways: readonly ConverterWay[]) => [
    ...new Set(ways.flatMap(({ needs = [] }) => needs.filter((program) => !has(program)))),
  ]

  function planNames(chain: NamedChain | Dispatcher, names: readonly string[], mimeType: string, depth: number) {
    const steps: PlannedStep[] = []
    let current = mimeType
    for (const name of names) {
      if (!byNames.has(name)) throw converterUnavailable({ converter: chain.name, missing: [`the converter ${name}`] })
      steps.push(...planNamed(name, current, depth + 1))
      current = steps.at(-1)?.target ?? current
    }
    return steps
  }

  function planTypes({ types }: TypedChain, mimeType: string, depth: number): readonly PlannedStep[] {
    let current = mimeType
    return types.flatMap((type) => {
      const steps = planTyped(current, type, depth + 1)
      current = type
      return steps
    })
  }

  function planDispatch(converter: Dispatcher, mimeType: string, depth: number): readonly PlannedStep[] {
    const names = converter.dispatch(mimeType, {
      has,
      can: (name) => accepts(name, mimeType) && attempt(() => planNamed(name, mimeType, depth + 1)) !== undefined,
      findSpecific: (target) => findSpecific(mimeType, target, depth + 1)?.name,
    })
    if (names.length === 0) throw converterUnavailable({ converter: converter.name, missing: [] })
    return planNames(converter, names, mimeType, depth)
  }

  /** Those of the nearest kind of source first, and of one kind the last that was contributed. */
  function candidates(mimeType: string, target: string): readonly Converter[] {
    const making = converters.filter(({ destinations }) => destinations.includes(target)).toReversed()
    const taking = (source: string) => making.filter(({ sources }) => sources.includes(source))
    return [...new Set([mimeType, familyOf(mimeType), '*'].flatMap(taking))]
  }

  const accepts = (name: string, mimeType: string) => acceptsType(byNames.get(name)?.sources ?? [], mimeType)

  function findSpecific(mimeType: string, target: string, depth: number): Converter | undefined {
    const isPossible = (converter: Converter) =>
      !converter.sources.includes('*') && attempt(() => planFor(converter, mimeType, target, depth)) !== undefined
    return candidates(mimeType, target).find(isPossible)
  }

  function planTyped(mimeType: string, target: string, depth: number): readonly PlannedStep[] {
    const possible = candidates(mimeType, target)
    for (const converter of possible) {
      const steps = attempt(() => planFor(converter, mimeType, target, depth))
      if (steps !== undefined) return steps
    }
    const [first] = possible
    const throughHtml = attempt(() => planThroughHtml(mimeType, target, depth))
    if (throughHtml !== undefined) return throughHtml
    // Says what is missing.
    if (first !== undefined) return planFor(first, mimeType, target, depth)
    throw noConverter({ from: mimeType, to: target })
  }

  function planThroughHtml(mimeType: string, target: string, depth: number): readonly PlannedStep[] {
    if (mimeType === target) return []
    if (mimeType === html || target === html || depth > deepest) throw noConverter({ from: mimeType, to: target })
    return [...planTyped(mimeType, html, depth + 1), ...planTyped(html, target, depth + 1)]
  }

  return {
    byName: (name, mimeType) => planNamed(name, mimeType, 0),
    byType: (mimeType, target) => planTyped(mimeType, target, 0),
    hasSpecific: (mimeType, target) => findSpecific(mimeType, target, 0) !== undefined,
    find: (name) => byNames.get(name),
  }
}

const html = 'text/html'

/** What is planned, or undefined where that is refused. */
function attempt<Result>(plan: () => Result): Result | undefined {
  try {
    return plan()
  } catch (error) {
    if ([converterUnavailable, sourceTypeRefused, converterUnknown, noConverter].some((problem) => problem.is(error)))
      return undefined
    throw error
  }
}
