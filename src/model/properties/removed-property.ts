import type { Model } from '../model.ts'
import { prefixOf } from '../schema.ts'

/** What became of a property that clients still name: it has another place, or it reads null and ignores what is written. */
export type RemovedProperty = { readonly kind: 'moved'; readonly xpath: string } | { readonly kind: 'gone' }

/** Finds `file:filename` or `files:files/0/filename` among the removed fields of the schemas. */
export function findRemoved(model: Pick<Model, 'schemas'>, xpath: string): RemovedProperty | undefined {
  const [, prefix, place] = /^([^:/]+):(.+)$/.exec(xpath) ?? []
  if (prefix === undefined || place === undefined) return undefined
  for (const schema of model.schemas.values()) {
    if (prefixOf(schema) !== prefix && schema.name !== prefix) continue
    for (const [removed, { fallback }] of Object.entries(schema.removed)) {
      const items = matchItems(removed, place)
      if (items === undefined) continue
      return fallback === undefined
        ? { kind: 'gone' }
        : { kind: 'moved', xpath: `${prefixOf(schema)}:${fillItems(fallback, items)}` }
    }
  }
  return undefined
}

/** Whether clients may still name it, to no effect. */
export function isGone(model: Pick<Model, 'schemas'>, xpath: string): boolean {
  return findRemoved(model, xpath)?.kind === 'gone'
}

/** What stands for each `*` of the pattern; undefined when the place is another one. */
function matchItems(pattern: string, place: string): readonly string[] | undefined {
  const wanted = pattern.split('/')
  const steps = place.split('/')
  if (steps.length !== wanted.length) return undefined
  const isSame = steps.every((step, index) => (wanted[index] === '*' ? isItem(step) : step === wanted[index]))
  return isSame ? steps.filter((_, index) => wanted[index] === '*') : undefined
}

// An index, or the wildcards of queries: `*`, `*1`.
function isItem(step: string): boolean {
  return /^(?:\*?\d+|\*)$/.test(step)
}

function fillItems(pattern: string, items: readonly string[]): string {
  const rest = [...items]
  return pattern.replace(/\*/g, (star) => rest.shift() ?? star)
}
