import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { loadAnew, loadCode } from '../api/code.ts'
import { Refused } from '../features/problems/shown.tsx'

type Screens<Name extends string> = { readonly [Key in Name]: ComponentType }

/**
 * A screen whose code comes when somebody goes there. Where it does not, the router alone would load the page anew at once: while the server
 * is away, nothing is left of it then.
 */
export function screen<Name extends string>(load: () => Promise<Screens<Name>>, name: Name) {
  const loaded = async (): Promise<{ [key: string]: ComponentType }> => {
    try {
      const screens = await loadCode(load)
      sessionStorage.removeItem(keyOf(name))
      return screens
    } catch (error) {
      return { [name]: () => <Missing error={error} name={name} /> }
    }
  }
  return lazyRouteComponent(loaded, name as string)
}

const keyOf = (name: string) => `quire.loadedAnew.${name}`

/** The server may have another console by now: the page is loaded anew for it, once, if there is a server. */
function Missing({ error, name }: { readonly error: unknown; readonly name: string }) {
  const [isTried, setTried] = useState(() => sessionStorage.getItem(keyOf(name)) !== null)
  useEffect(() => {
    if (isTried) return
    sessionStorage.setItem(keyOf(name), '')
    loadAnew().catch(() => {
      sessionStorage.removeItem(keyOf(name))
      setTried(true)
    })
  }, [isTried, name])
  return isTried ? <Refused error={error} isPage onRetry={() => undefined} /> : null
}

/** What stands in the place of a screen, or of all, that could not be shown. */
export function ScreenProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <Refused error={error} isPage onRetry={retry} />
}
