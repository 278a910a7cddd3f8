import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { BrowserRequest } from '../../rest/authenticator.ts'
import { findCookie, formatCookie } from '../../rest/request/cookies.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { parseRequestedUrl } from './requested-url.ts'
import type { signInSettings } from './settings.ts'

/** Where people go on to who have signed in, whichever way (contract: security 2.5). */
export interface WayBack {
  /** The cookie in which a script of the page leaves what stands behind the `#` of an address. */
  fragmentCookie(): string
  /** The page that was asked for, as this says or else a cookie, with the fragment that only a script knew; else the start page. */
  find(request: BrowserRequest, asked: string | null | undefined): string
  /** Cookies to set once somebody is on the way. */
  forget(request: BrowserRequest): readonly string[]
}

const initialUrlCookie = 'sso.initial.url.request'
const longest = 4_000

export function createWayBack(
  values: () => Pick<SettingValues<typeof signInSettings>, 'startPage'>,
  vendored: () => VendorIdentifiers,
): WayBack {
  const fragmentCookie = () => vendored()('platform.start.url.fragment')
  return {
    fragmentCookie,
    find(request, asked) {
      const { baseUrl } = request
      const saved = decoded(request.cookie(initialUrlCookie))
      const target = parseRequestedUrl(asked || saved, baseUrl) ?? `${baseUrl}${values().startPage}`
      const fragment = decoded(request.cookie(fragmentCookie()))
      return fragment === undefined || target.includes('#') ? target : withFragment(target, fragment)
    },
    forget(request) {
      const header = String(request.headers['cookie'] ?? '')
      const isSecure = request.baseUrl.startsWith('https:')
      return [fragmentCookie(), initialUrlCookie]
        .filter((name) => findCookie(header, name) !== undefined)
        .map((name) => formatCookie(name, '', { path: '', maxAgeSeconds: 0, isSecure, isForScripts: true }))
    },
  }
}

function decoded(value: string | undefined): string | undefined {
  if (value === undefined || value.length > longest) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined // no page of ours wrote it
  }
}

function withFragment(url: string, fragment: string): string {
  const target = new URL(url)
  target.hash = fragment
  return target.href
}
