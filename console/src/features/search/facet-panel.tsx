import { useState } from 'react'
import { type Criteria, type Facet, facets } from '../../api/criteria.ts'
import type { Aggregate } from '../../api/search.ts'
import { Button } from '../../ui/button.tsx'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import styles from './search.module.css'
import { useFacetWords, useSearchWords } from './words.ts'

type Bucket = NonNullable<Aggregate['extendedBuckets']>[number]

export interface FacetPanelProps {
  readonly aggregations: { readonly [id: string]: Aggregate } | undefined
  readonly chosen: Criteria['chosen']
  onChoose(chosen: Criteria['chosen']): void
}

/** What all that was found has in common, counted; a value that is chosen keeps the results to those that have it. */
export function FacetPanel({ aggregations, chosen, onChoose }: FacetPanelProps) {
  const names = Object.keys(facets) as readonly Facet[]
  return (
    <>
      {names.map((name) => (
        <FacetField
          key={name}
          name={name}
          buckets={aggregations?.[facets[name]]?.extendedBuckets ?? []}
          chosen={chosen[name] ?? []}
          onChoose={(values) => {
            const { [name]: _, ...others } = chosen
            onChoose(values.length === 0 ? others : { ...others, [name]: values })
          }}
        />
      ))}
    </>
  )
}

interface FacetFieldProps {
  readonly name: Facet
  readonly buckets: readonly Bucket[]
  readonly chosen: readonly string[]
  onChoose(values: readonly string[]): void
}

const shownAtFirst = 6

function FacetField({ name, buckets, chosen, onChoose }: FacetFieldProps) {
  const say = useFacetWords()
  const sayInSearch = useSearchWords()
  const { number } = useFormats()
  const [isWhole, setWhole] = useState(false)
  const labelOf = useLabels(name)
  const there = buckets.filter(({ key, docCount }) => docCount > 0 || chosen.includes(key))
  if (there.length === 0) return null
  return (
    <fieldset className={styles.facet}>
      <legend>{say(name)}</legend>
      {there.slice(0, isWhole ? undefined : shownAtFirst).map((bucket) => (
        <label key={bucket.key}>
          <input
            type="checkbox"
            checked={chosen.includes(bucket.key)}
            onChange={(event) =>
              onChoose(event.target.checked ? [...chosen, bucket.key] : chosen.filter((key) => key !== bucket.key))
            }
          />
          <span className={styles.value}>{labelOf(bucket)}</span>
          <span className={styles.count}>{number(bucket.docCount)}</span>
        </label>
      ))}
      {there.length > shownAtFirst ? (
        <Button look="quiet" onPress={() => setWhole(!isWhole)}>
          {sayInSearch(isWhole ? 'fewer' : 'more')}
        </Button>
      ) : null}
    </fieldset>
  )
}

/** What people call the values of a facet. */
function useLabels(name: Facet): (bucket: Bucket) => string {
  const say = useFacetWords()
  const language = useLanguage()
  return ({ key, fetchedKey }) => {
    if (name === 'size' || name === 'modified') return say(key as 'tiny')
    return nameOf(fetchedKey, language) ?? key
  }
}

/** Of a user or an entry of a vocabulary, with the entries above it. */
function nameOf(fetched: unknown, language: string): string | undefined {
  const { properties } = (fetched ?? {}) as { readonly properties?: { readonly [name: string]: unknown } }
  if (properties === undefined) return undefined
  const full = [properties['firstName'], properties['lastName']].filter(Boolean).join(' ')
  if (full !== '') return full
  const label = properties[`label_${language}`] ?? properties['label']
  if (typeof label !== 'string') return undefined
  const above = nameOf(properties['parent'], language)
  return above === undefined ? label : `${above} › ${label}`
}
