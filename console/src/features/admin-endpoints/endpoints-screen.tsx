import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RadioTower } from 'lucide-react'
import {
  endpointPath,
  type NotificationEndpoint,
  notificationEndpointQuery,
  notificationEndpoints,
} from '../../api/administration/webhooks.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { Detail } from '../administration/detail.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { Beside, ScreenPage } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { Deliveries, secondsBetweenLooks } from './deliveries.tsx'
import { useEndpointWords } from './words.ts'

const addressOf = (id: string) => `notification-endpoints/${encodeURIComponent(id)}`

/** Who is told over gRPC of what happens; that is added over another API, and subscribed by the settings. */
export function Screen() {
  const say = useEndpointWords()
  const columns = useEndpointColumns()
  const { rest, search, goTo } = usePlace()
  return (
    <ScreenPage title={say('endpoints')} hint={say('endpointsHint')}>
      <Beside
        list={
          <EntityList
            label={say('endpoints')}
            pages={notificationEndpoints}
            columns={columns}
            keyOf={({ id }) => id}
            open={rest}
            onOpen={({ id }) => void goTo(addressOf(id), search)}
            counted={(count) => say('endpointCount', { count })}
            empty={
              <Message icon={RadioTower} title={say('noEndpoints')}>
                <p>{say('noEndpointsHint')}</p>
              </Message>
            }
          />
        }
        detail={rest === '' ? undefined : <EndpointDetail key={rest} id={rest} />}
      />
    </ScreenPage>
  )
}

const placeOf = ({ project, region }: NotificationEndpoint) => `${project} · ${region}`

function useEndpointColumns(): readonly Column<NotificationEndpoint>[] {
  const say = useEndpointWords()
  const { number } = useFormats()
  return [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(100px, 2fr)',
      render: ({ id, name }) => (
        <Link to="/admin/$" params={{ _splat: addressOf(id) }} search={(before) => before}>
          {name}
        </Link>
      ),
    },
    { id: 'place', label: say('place'), width: 'minmax(0, 2fr)', isMinor: true, render: placeOf },
    { id: 'address', label: say('address'), width: 'minmax(0, 2fr)', isMinor: true, render: ({ endpoint }) => endpoint },
    {
      id: 'state',
      label: say('state'),
      width: '100px',
      render: ({ isDelivered }) => say(isDelivered ? 'enabled' : 'disabled'),
    },
    { id: 'delivered', label: say('delivered'), width: '90px', isMinor: true, render: ({ delivered }) => number(delivered) },
    { id: 'failed', label: say('failed'), width: '90px', isMinor: true, render: ({ failed }) => number(failed) },
  ]
}

function EndpointDetail({ id }: { readonly id: string }) {
  const say = useEndpointWords()
  const query = useQuery({ ...notificationEndpointQuery(id), refetchInterval: secondsBetweenLooks * 1_000 })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(one) => (
        <Detail title={one.name} id={placeOf(one)} badge={say(one.isDelivered ? 'enabled' : 'disabled')}>
          {one.description === null ? null : <p>{one.description}</p>}
          <p>{one.isDelivered ? say('subscribed', { events: one.events.join(', ') }) : say('notSubscribed')}</p>
          <Deliveries path={endpointPath(id)} status={one} />
        </Detail>
      )}
    </Shown>
  )
}
