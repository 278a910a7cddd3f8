import { useQuery } from '@tanstack/react-query'
import { RadioTower } from 'lucide-react'
import {
  endpointPath,
  type NotificationEndpoint,
  notificationEndpointQuery,
  notificationEndpoints,
} from '../../api/administration/webhooks.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { Detail } from '../administration/detail.tsx'
import { Register, RegisterLink } from '../administration/register.tsx'
import { Shown } from '../problems/shown.tsx'
import { Deliveries, secondsBetweenLooks } from './deliveries.tsx'
import { useEndpointWords } from './words.ts'

const screen = 'notification-endpoints'

/** Who is told over gRPC of what happens; that is added over another API, and subscribed by the settings. */
export function Screen() {
  const say = useEndpointWords()
  const columns = useEndpointColumns()
  return (
    <Register
      screen={screen}
      title={say('endpoints')}
      hint={say('endpointsHint')}
      pages={notificationEndpoints}
      columns={columns}
      keyOf={({ id }) => id}
      counted={(count) => say('endpointCount', { count })}
      empty={{ icon: RadioTower, title: say('noEndpoints'), hint: say('noEndpointsHint') }}
      detail={(id) => <EndpointDetail key={id} id={id} />}
    />
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
        <RegisterLink screen={screen} of={id}>
          {name}
        </RegisterLink>
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
