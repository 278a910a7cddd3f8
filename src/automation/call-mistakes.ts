import type { Json } from '../base/json.ts'
import { Problem } from '../base/problem.ts'
import type { Chain } from './chain.ts'
import { isTemplate, parseTemplate } from './expressions/template.ts'
import type { OperationRegistry } from './registry.ts'

type Finder = Pick<OperationRegistry, 'find'>

/** What is wrong with a chain that shows only when all operations and chains are known; undefined when it is sound. */
export function findChainMistake(registry: OperationRegistry, chain: Chain): string | undefined {
  return findUnknown(registry, chain) ?? findCircle(registry, chain) ?? findWrongExpression(chain)
}

function findUnknown({ find }: Finder, { steps, catches = [] }: Chain): string | undefined {
  const step = steps.findIndex(({ operation }) => find(operation) === undefined)
  if (step >= 0) return `step ${step + 1} runs ${steps[step]?.operation}, which does not exist`
  const caught = catches.find(({ chain }) => find(chain) === undefined)
  return caught && `runs ${caught.chain} when it fails, which does not exist`
}

/** A chain that runs itself, through whatever others, would never end. */
function findCircle({ find }: Finder, chain: Chain, around: readonly string[] = []): string | undefined {
  const path = [...around, chain.id]
  for (const id of [...chain.steps.map(({ operation }) => operation), ...(chain.catches ?? []).map((one) => one.chain)]) {
    const called = find(id)
    if (called?.kind !== 'chain') continue
    const inner = called.chain
    if (path.includes(inner.id)) return `runs itself: ${[...path, inner.id].join(' → ')}`
    const circle = findCircle({ find }, inner, path)
    if (circle !== undefined) return circle
  }
  return undefined
}

function findWrongExpression({ steps, catches = [] }: Chain): string | undefined {
  for (const [index, { operation, params = {} }] of steps.entries()) {
    const wrong = expressionsIn(params).map(findFlaw).find(isTold)
    if (wrong !== undefined) return `step ${index + 1}, ${operation}: ${wrong}`
  }
  const wrong = catches.map(({ filter }) => (filter === undefined ? undefined : findFlaw(filter))).find(isTold)
  return wrong && `catches by a filter: ${wrong}`
}

function expressionsIn(json: Json): readonly string[] {
  if (typeof json === 'string') return isTemplate(json) ? [json] : []
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(expressionsIn) : []
}

function findFlaw(text: string): string | undefined {
  try {
    parseTemplate(text)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function isTold(flaw: string | undefined): flaw is string {
  return flaw !== undefined
}
