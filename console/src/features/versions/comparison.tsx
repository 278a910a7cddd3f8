import { useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PropertyValue } from '../forms/property-value.tsx'
import { useFieldNames } from '../forms/words.ts'
import { Refused } from '../problems/shown.tsx'
import styles from './comparison.module.css'
import { propertyDifferences } from './property-differences.ts'
import { type LinePair, type Piece, textDifferences } from './text-differences.ts'
import { textQuery, versionQuery } from './use-versions.ts'
import versionStyles from './versions.module.css'
import { useVersionWords } from './words.ts'

const route = getRouteApi('/browse/$')

export interface ComparisonProps {
  readonly document: Document
  /** Of what stands on the left and on the right. */
  readonly ids: readonly [string, string]
}

/** Two versions side by side, or one and the document as it is now. */
export function Comparison({ document, ids: [beforeId, afterId] }: ComparisonProps) {
  const say = useVersionWords()
  const navigate = route.useNavigate()
  const [first, second] = useQueries({ queries: [versionQuery(beforeId), versionQuery(afterId)] })
  const failed = [first, second].find(({ error }) => error !== null)
  if (failed !== undefined) return <Refused error={failed.error} onRetry={() => void failed.refetch()} />
  if (first.data === undefined || second.data === undefined) return <Skeleton />
  const nameOf = (one: Document) => (one.uid === document.uid ? say('now') : say('version', { label: one.versionLabel ?? '' }))
  const [before, after] = [first.data, second.data]
  const names = { before: nameOf(before), after: nameOf(after) }
  return (
    <>
      <header className={versionStyles.head}>
        <h2>{say('comparison', names)}</h2>
        <Button onPress={() => void navigate({ search: { tab: 'versions', version: afterId, with: beforeId }, replace: true })}>
          <ArrowLeftRight size={16} aria-hidden />
          {say('swap')}
        </Button>
      </header>
      <Properties before={before} after={after} names={names} />
      <Texts before={before} after={after} names={names} />
    </>
  )
}

interface SidesProps {
  readonly before: Document
  readonly after: Document
  readonly names: { readonly before: string; readonly after: string }
}

function Properties({ before, after, names }: SidesProps) {
  const say = useVersionWords()
  const nameOf = useFieldNames()
  const [showsAll, setShowsAll] = useState(false)
  const pairs = propertyDifferences(before.properties ?? {}, after.properties ?? {})
  const shown = showsAll ? pairs : pairs.filter(({ isSame }) => !isSame)
  return (
    <section className={styles.part} aria-labelledby="compared-properties">
      <div className={versionStyles.head}>
        <h3 id="compared-properties">{say('properties')}</h3>
        <label className={styles.switch}>
          <input type="checkbox" checked={showsAll} onChange={(event) => setShowsAll(event.target.checked)} />
          {say('all')}
        </label>
      </div>
      {shown.length === 0 ? (
        <p className={versionStyles.quiet}>{say('same')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{say('property')}</th>
              <th scope="col">{names.before}</th>
              <th scope="col">{names.after}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ xpath, before: old, after: fresh, isSame }) => (
              <tr key={xpath} data-same={isSame}>
                <th scope="row">{nameOf(xpath)}</th>
                <td>
                  <PropertyValue document={before} xpath={xpath} value={old} />
                </td>
                <td>
                  <PropertyValue document={after} xpath={xpath} value={fresh} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Texts({ before, after, names }: SidesProps) {
  const say = useVersionWords()
  const [first, second] = [useQuery(textQuery(before)), useQuery(textQuery(after))]
  return (
    <section className={styles.part} aria-labelledby="compared-text">
      <h3 id="compared-text">{say('text')}</h3>
      {first.error !== null || second.error !== null ? (
        <p className={versionStyles.quiet}>{say('textFailed')}</p>
      ) : first.data === undefined || second.data === undefined ? (
        <Skeleton />
      ) : first.data === null && second.data === null ? (
        <p className={versionStyles.quiet}>{say('noText')}</p>
      ) : (
        <TextTable
          pairs={textDifferences(first.data?.text ?? '', second.data?.text ?? '')}
          isCut={(first.data?.isCut ?? false) || (second.data?.isCut ?? false)}
          names={names}
        />
      )}
    </section>
  )
}

/** Lines that are the same stand around what differs; further ones are counted. */
const linesAround = 3

interface TextTableProps {
  readonly pairs: readonly LinePair[]
  readonly isCut: boolean
  readonly names: SidesProps['names']
}

function TextTable({ pairs, isCut, names }: TextTableProps) {
  const say = useVersionWords()
  if (pairs.every(({ kind }) => kind === 'same')) return <p className={versionStyles.quiet}>{say('sameText')}</p>
  return (
    <>
      <table className={styles.text}>
        <thead>
          <tr>
            <th scope="col">{names.before}</th>
            <th scope="col">{names.after}</th>
          </tr>
        </thead>
        <tbody>
          {shownParts(pairs, linesAround).map(({ at, shown, skipped }) => (
            <Fragment key={at}>
              {skipped === 0 ? null : (
                <tr className={styles.skipped}>
                  <td colSpan={2}>{say('skipped', { count: skipped })}</td>
                </tr>
              )}
              {shown === undefined ? null : (
                <tr data-kind={shown.kind}>
                  <td data-own={shown.kind !== 'same' && shown.before !== undefined}>
                    <Pieces pieces={shown.before} mark="del" />
                  </td>
                  <td data-own={shown.kind !== 'same' && shown.after !== undefined}>
                    <Pieces pieces={shown.after} mark="ins" />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {isCut ? <p className={versionStyles.quiet}>{say('textCut')}</p> : null}
    </>
  )
}

function Pieces({ pieces, mark: Mark }: { readonly pieces: readonly Piece[] | undefined; readonly mark: 'del' | 'ins' }) {
  return pieces?.map(({ text, isOwn }, index) =>
    isOwn ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change
      <Mark key={index}>{text}</Mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index}>{text}</span>
    ),
  )
}

interface ShownPart {
  readonly at: number
  /** How many lines before it are not shown. */
  readonly skipped: number
  readonly shown: LinePair | undefined
}

function shownParts(pairs: readonly LinePair[], around: number): readonly ShownPart[] {
  const isNear = (index: number) =>
    pairs.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same')
  const parts: ShownPart[] = []
  let skipped = 0
  pairs.forEach((shown, at) => {
    if (!isNear(at)) {
      skipped += 1
      return
    }
    parts.push({ at, skipped, shown })
    skipped = 0
  })
  return skipped === 0 ? parts : [...parts, { at: pairs.length, skipped, shown: undefined }]
}
