import type { Document } from '../../model/document.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { itemsOf, texts } from '../../model/properties/property-texts.ts'

export const notificationsProperty = 'notif:notifications'
export const [userPrefix, groupPrefix] = ['user:', 'group:'] as const

/** Who subscribed to what on one document: `user:ann`, `group:staff` by the name of a notification. */
export type Subscribers = ReadonlyMap<string, readonly string[]>

export function subscribersOn(document: Pick<Document, 'properties'>): Subscribers {
  const found = new Map<string, readonly string[]>()
  for (const { name, subscribers } of itemsOf(document, notificationsProperty)) {
    if (typeof name === 'string') found.set(name, [...(found.get(name) ?? []), ...texts(subscribers)])
  }
  return found
}

export function withSubscriber(before: Subscribers, subscriber: string, names: readonly string[]): Subscribers {
  const after = new Map(before)
  for (const name of names) after.set(name, [...new Set([...(before.get(name) ?? []), subscriber])])
  return after
}

/** Without names, of all. A notification that is left with nobody goes. */
export function withoutSubscriber(before: Subscribers, subscriber: string, names: readonly string[] | undefined): Subscribers {
  const rest = [...before].map(([name, all]) => {
    const isMeant = names === undefined || names.includes(name)
    return [name, isMeant ? all.filter((one) => one !== subscriber) : all] as const
  })
  return new Map(rest.filter(([, all]) => all.length > 0))
}

export function storedSubscribers(subscribers: Subscribers): PropertyValue {
  return [...subscribers].map(([name, all]) => ({ name, subscribers: [...all] }))
}

/** What differs between the two but for the one subscriber. */
export function concernsOthers(before: Subscribers, after: Subscribers, subscriber: string): boolean {
  const others = (of: Subscribers) =>
    JSON.stringify([...withoutSubscriber(of, subscriber, undefined)].map(([name, all]) => [name, [...all].sort()]).sort())
  return others(before) !== others(after)
}

/** Users, or groups, who were not there before, each with the notifications that they are subscribed to since. */
export function addedWith(
  prefix: typeof userPrefix | typeof groupPrefix,
  before: Subscribers,
  after: Subscribers,
): ReadonlyMap<string, readonly string[]> {
  const added = new Map<string, string[]>()
  for (const [notification, all] of after) {
    const known = new Set(before.get(notification))
    for (const one of new Set(all)) {
      if (!one.startsWith(prefix) || known.has(one)) continue
      const name = one.slice(prefix.length)
      added.set(name, [...(added.get(name) ?? []), notification])
    }
  }
  return added
}
