import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { annotationsQuery } from '../../api/comments.ts'
import { useAnnotating } from './annotating.tsx'
import styles from './annotation-layer.module.css'
import { findPlace, type Place, placeBetween } from './place.ts'
import { useAnnotationWords } from './words.ts'

export const annotatedXpath = 'file:content'

/** Lies over a page: what was said of places on it and, while one is chosen, the pointer or the keys that choose it. */
export function AnnotationLayer({ documentId, page }: { readonly documentId: string; readonly page: number }) {
  const say = useAnnotationWords()
  const annotating = useAnnotating()
  const { data = [] } = useQuery(annotationsQuery(documentId, annotatedXpath))
  if (annotating === undefined) return null
  const { selected, select, isChoosing, draft } = annotating
  // In the order in which they were made, by which they are numbered.
  const placed = data
    .toReversed()
    .flatMap(({ id, entity, text }, index) => {
      const place = findPlace(entity)
      return place === undefined ? [] : [{ id, place, text, number: index + 1 }]
    })
    .filter(({ place }) => place.page === page)
  return (
    <div className={styles.layer}>
      {placed.map(({ id, place, text, number }) => (
        <button
          key={id}
          type="button"
          className={styles.mark}
          style={styleOf(place)}
          data-point={isPoint(place)}
          aria-label={say('mark', { number, text: (text ?? '').slice(0, 80) })}
          aria-pressed={id === selected}
          onClick={() => select(id === selected ? undefined : id)}
        >
          <span aria-hidden>{number}</span>
        </button>
      ))}
      {draft?.page === page ? <div className={styles.draft} style={styleOf(draft)} data-point={isPoint(draft)} /> : null}
      {isChoosing ? <Chooser page={page} /> : null}
    </div>
  )
}

function styleOf({ x, y, width, height }: Place): CSSProperties {
  const corner = { insetInlineStart: `${x}%`, insetBlockStart: `${y}%` }
  return isPoint({ width, height }) ? corner : { ...corner, inlineSize: `${width}%`, blockSize: `${height}%` }
}

const isPoint = ({ width, height }: Pick<Place, 'width' | 'height'>) => width === 0 && height === 0

type Point = readonly [number, number]

/** Takes a place: drawn or pressed with the pointer, or led to with the arrows and taken with `Enter`. */
function Chooser({ page }: { readonly page: number }) {
  const say = useAnnotationWords()
  const annotating = useAnnotating()
  const area = useRef<HTMLButtonElement>(null)
  const [from, setFrom] = useState<Point>()
  const [to, setTo] = useState<Point>([50, 50])
  useEffect(() => void area.current?.focus(), [])
  if (annotating === undefined) return null

  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLButtonElement>): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return [((clientX - left) / width) * 100, ((clientY - top) / height) * 100]
  }
  const take = (place: Place) => {
    annotating.setDraft(place)
    annotating.setChoosing(false)
  }
  const pressed = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 10 : 2
    const moves: { readonly [key: string]: Point } = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }
    const move = moves[event.key]
    if (move !== undefined) {
      const within = (number: number) => Math.min(100, Math.max(0, number))
      setTo([within(to[0] + move[0]), within(to[1] + move[1])])
    } else if (event.key === 'Enter' || event.key === ' ') take(placeBetween(page, to, to))
    else if (event.key === 'Escape') annotating.setChoosing(false)
    else return
    event.preventDefault()
  }
  const drawn = from && placeBetween(page, from, to)
  return (
    <button
      ref={area}
      type="button"
      className={styles.chooser}
      aria-label={say('chooser')}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom(pointOf(event))
        setTo(pointOf(event))
      }}
      onPointerMove={(event) => (from === undefined ? undefined : setTo(pointOf(event)))}
      onPointerUp={(event) => (from === undefined ? undefined : take(placeBetween(page, from, pointOf(event))))}
      onPointerCancel={() => setFrom(undefined)}
    >
      {drawn === undefined ? (
        <span className={styles.cross} style={{ insetInlineStart: `${to[0]}%`, insetBlockStart: `${to[1]}%` }} />
      ) : (
        <span className={styles.draft} style={styleOf(drawn)} data-point={isPoint(drawn)} />
      )}
    </button>
  )
}
