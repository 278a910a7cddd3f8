import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { ConsoleElement, PieceApi } from '../../../../src/console.ts'
import { fileAddressOf, type PieceComponent, piecesQuery } from '../../api/pieces.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { connect, loadComponent } from './load-component.ts'
import styles from './pieces.module.css'
import { usePieceWords } from './words.ts'

export interface PieceHostProps<Api extends PieceApi> {
  readonly component: PieceComponent
  /** What it is handed; handed over again when it is another. */
  readonly api: Omit<Api, 'fail'>
  /** Stands below the sentence that it failed. */
  readonly instead?: ReactNode
}

/** The place of a component that a plugin brings. Whatever is wrong with it is said here, and the rest of the page stays. */
export function PieceHost<Api extends PieceApi>({ component, api, instead }: PieceHostProps<Api>) {
  const { plugin, name } = component
  const queries = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const element = useRef<HTMLElement & ConsoleElement<Api>>(undefined)
  const [attempt, setAttempt] = useState(0)
  const [isShown, setShown] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  const address = fileAddressOf(component, attempt)
  const fail = useCallback((error: unknown) => {
    element.current?.remove()
    element.current = undefined
    setFailure({ error })
  }, [])
  const latest = useRef(api)
  latest.current = api

  useEffect(() => {
    let isGone = false
    const show = async () => {
      try {
        const Component = await loadComponent(address, `${plugin}-${name}`)
        if (isGone || place.current === null) return
        const made = new Component() as HTMLElement & ConsoleElement<Api>
        made.quire = { ...latest.current, fail } as Api
        connect(made, place.current)
        element.current = made
        setShown(true)
      } catch (error) {
        if (!isGone) fail(error)
      }
    }
    void show()
    return () => {
      isGone = true
      setShown(false)
      element.current?.remove()
      element.current = undefined
    }
  }, [address, plugin, name, fail])

  useEffect(() => {
    if (element.current === undefined) return
    try {
      element.current.quire = { ...api, fail } as Api
    } catch (error) {
      fail(error)
    }
  }, [api, fail])

  const tryAgain = async () => {
    // It may have been mended meanwhile, and is at another address then.
    await queries.refetchQueries(piecesQuery)
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  if (failure !== undefined) {
    return (
      <>
        <Failed plugin={plugin} error={failure.error} onRetry={() => void tryAgain()} />
        {instead}
      </>
    )
  }
  return <Place place={place} isWaiting={!isShown} />
}

/** Its links lead through the console, without loading the page anew. */
function Place({ place, isWaiting }: { readonly place: RefObject<HTMLDivElement | null>; readonly isWaiting: boolean }) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    const link = event.nativeEvent.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === undefined || !isPlain || event.defaultPrevented || link.target !== '' || link.hasAttribute('download')) return
    if (!link.href.startsWith(document.baseURI)) return
    event.preventDefault()
    router.history.push(link.href.slice(location.origin.length))
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it have keys of their own, which end as clicks
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing can be done with it, but with the links in it
    <div className={styles.place} onClick={follow}>
      <div ref={place} />
      {isWaiting ? <Skeleton width="60%" /> : null}
    </div>
  )
}

interface FailedProps {
  readonly plugin: string
  readonly error: unknown
  onRetry(): void
}

function Failed({ plugin, error, onRetry }: FailedProps) {
  const say = usePieceWords()
  return (
    <div className={styles.failed} role="alert">
      <strong>{say('failed', { plugin })}</strong>
      <p>{(error instanceof Error ? error.message : String(error)).slice(0, 500)}</p>
      <Button onPress={onRetry}>{say('tryAgain')}</Button>
    </div>
  )
}
