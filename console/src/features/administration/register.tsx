import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Message } from '../../ui/message.tsx'
import { EntityList, type EntityListProps } from './entity-list.tsx'
import { Beside, ScreenPage } from './screen-page.tsx'
import { usePlace } from './use-place.ts'

export interface RegisterProps<Row> extends Pick<EntityListProps<Row>, 'pages' | 'columns' | 'keyOf' | 'counted'> {
  /** The id of the screen, under which each has its address by its key. */
  readonly screen: string
  readonly title: string
  readonly hint: string
  readonly tools?: ReactNode
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly hint: string }
  detail(key: string): ReactNode
}

/** The address of one that is listed, below that of the administration. */
export function registerAddress(screen: string, key: string): string {
  return `${screen}/${encodeURIComponent(key)}`
}

export interface RegisterLinkProps {
  readonly screen: string
  /** Of the one that it leads to. */
  readonly of: string
  readonly title?: string
  readonly children: ReactNode
}

/** In a row: shows the one of the row beside the list, which stays as it is. Not reached by Tab: the list has keys of its own. */
export function RegisterLink({ screen, of, title, children }: RegisterLinkProps) {
  return (
    <Link to="/admin/$" params={{ _splat: registerAddress(screen, of) }} search={(before) => before} title={title} tabIndex={-1}>
      {children}
    </Link>
  )
}

/** A screen of things that are registered: all of them, and beside them the one that is looked at. */
export function Register<Row>({ screen, title, hint, tools, empty, detail, ...list }: RegisterProps<Row>) {
  const { rest, search, goTo } = usePlace()
  return (
    <ScreenPage title={title} hint={hint} tools={tools}>
      <Beside
        list={
          <EntityList
            {...list}
            label={title}
            open={rest}
            onOpen={(row) => void goTo(registerAddress(screen, list.keyOf(row)), search)}
            empty={
              <Message icon={empty.icon} title={empty.title}>
                <p>{empty.hint}</p>
              </Message>
            }
          />
        }
        detail={rest === '' ? undefined : detail(rest)}
      />
    </ScreenPage>
  )
}
