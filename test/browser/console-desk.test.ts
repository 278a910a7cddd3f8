import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { setStage } from '../support/browser.ts'
import { prepareDesk, team } from '../support/console-desk.ts'
import { workflowsOn } from '../support/workflows.ts'

describe('the desk of the console', { timeout: 900_000 }, () => {
  const stage = setStage(prepareDesk)
  const { journey, visit } = stage
  const documentAt = async (name: string) => (await stage.server.as('Administrator').get(`/path${team}/${name}`)).body
  /** A review of a document that somebody has started and somebody else is to look at. */
  const startReview = async (name: string, participant: string, by = 'alice') => {
    const flows = workflowsOn(stage.server)
    const { id } = await flows.start((await documentAt(name)).uid, 'SerialDocumentReview', by)
    const { id: taskId } = await flows.task(id, by)
    const variables = { participants: [`user:${participant}`], comment: 'Please have a look' }
    await flows.complete(taskId, 'start_review', variables, by)
    return id as string
  }

  journey('people comment on a document, reply, edit and remove what they said', async () => {
    const alice = await visit(`browse${team}/minutes`, { user: 'alice' })
    await alice.page.getByLabel('Write a comment').fill('Is the <b>date</b> right?')
    await alice.page.getByRole('button', { name: 'Comment', exact: true }).click()
    await alice.page.getByText('Is the date right?').waitFor()
    const bob = await visit(`browse${team}/minutes`, { user: 'bob' })
    await bob.page.getByRole('button', { name: 'Reply' }).click()
    await bob.page.keyboard.type('It is')
    await bob.page.keyboard.press('Control+Enter')
    await bob.page.getByText('It is', { exact: true }).waitFor()
    // What Bob has said appears to Alice while she looks.
    await alice.page.getByRole('button', { name: '1 reply' }).click()
    await alice.page.getByText('It is', { exact: true }).waitFor()
    assert.equal(
      await alice.page
        .getByRole('group', { name: /Bob Durand/ })
        .getByRole('button', { name: 'Edit' })
        .count(),
      0,
    )
    const own = alice.page.getByRole('group', { name: /Alice Martin/ })
    await own.getByRole('button', { name: 'Edit' }).click()
    await alice.page.getByLabel('Edit your comment').fill('Is the place right?')
    await alice.page.getByRole('button', { name: 'Save' }).click()
    await alice.page.getByText('Is the place right?').waitFor()
    await own.getByRole('button', { name: 'Remove' }).click()
    await alice.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await alice.page.getByText('Nobody has said anything yet.').waitFor()
    // Replies to what is being removed may be asked for at that very moment.
    const complaints = [...alice.complaints, ...bob.complaints].filter((complaint) => !complaint.includes('404'))
    assert.deepEqual(complaints, [])
    await Promise.all([alice.leave(), bob.leave()])
  })

  journey('a place of a PDF is annotated with the pointer, another with the keys, and each is found again', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/offer`, { user: 'alice' })
    await page.getByRole('img', { name: /offer\.pdf/ }).waitFor()
    await page.getByRole('button', { name: 'Annotate' }).click()
    const area = page.getByRole('button', { name: /Choose a place/ })
    const box = await area.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.1)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.2)
    await page.mouse.up()
    await page.getByLabel('What about this place?').fill('A better title?')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Annotation 1: A better title?' }).waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    await page.getByRole('button', { name: 'Annotate' }).focus()
    await page.keyboard.press('Enter')
    for (const key of ['ArrowLeft', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.type('Here, too')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Annotation 2: Here, too' }).waitFor()
    await page.getByRole('button', { name: 'Show where: Page 1' }).click()
    await page.getByText('Page 1 of 2').waitFor()
    await page.getByRole('button', { name: 'Annotation 1: A better title?', pressed: true }).waitFor()
    const { uid } = await documentAt('offer')
    const { entries } = (await stage.server.as('bob').get(`/id/${uid}/@annotation?xpath=file:content`)).body
    assert.match(entries[1].entity, /page=1&xywh=percent:2\d(\.\d+)?,1\d(\.\d+)?,\d+(\.\d+)?,\d+(\.\d+)?/)
    assert.match(entries[0].entity, /page=2&xywh=percent:48,48,0,0/)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a review is started, and its tasks are completed by two other people', async () => {
    const alice = await visit(`browse${team}/contract`, { user: 'alice' })
    await alice.page.getByRole('button', { name: 'Start a workflow' }).click()
    await alice.page.getByRole('menuitem', { name: 'Serial document review' }).click()
    const asked = alice.page.getByRole('region', { name: 'Your task' })
    await asked.getByRole('heading', { name: 'Choose Participants' }).waitFor()
    await asked.getByRole('button', { name: 'Start the Review' }).click()
    await asked.getByText('This is needed to go on.').waitFor()
    for (const name of ['Bob', 'Carol']) {
      await asked.getByLabel('Participants').fill(name)
      await alice.page.getByRole('option', { name: new RegExp(name) }).click()
    }
    await asked.getByLabel('Comment').fill('Until Friday, please')
    await asked.getByRole('button', { name: 'Start the Review' }).click()
    await alice.page.getByRole('img', { name: /Now: Validate the Document/ }).waitFor()
    for (const [user, remark] of [
      ['bob', 'Fine with me'],
      ['carol', 'With me, too'],
    ] as const) {
      const { page, complaints, leave } = await visit('tasks', { user })
      await page.getByRole('link', { name: /Contract/ }).click()
      await page.getByText('Until Friday, please').waitFor()
      await page.getByLabel('Comment').fill(remark)
      await page.getByRole('button', { name: 'Validate' }).click()
      await page.getByText('Nothing waits for you').waitFor()
      assert.deepEqual(complaints, [])
      await leave()
    }
    // The workflow ends before the eyes of whoever started it.
    await alice.page.getByText('No workflow is under way').waitFor()
    assert.equal((await documentAt('contract')).state, 'approved')
    assert.deepEqual(alice.complaints, [])
    await alice.leave()
  })

  journey('a task is completed by keyboard alone', async () => {
    await startReview('budget', 'carol')
    await startReview('minutes', 'carol')
    const { page, complaints, leave } = await visit('', { user: 'carol' })
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Tasks 2/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    await page.getByRole('link', { name: /Budget/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Validate the Document' }).waitFor()
    const isAt = (name: string) => page.evaluate<boolean>(`document.activeElement?.textContent === ${JSON.stringify(name)}`)
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 20 && !(await isAt(name)); presses += 1) await page.keyboard.press('Tab')
      assert.ok(await isAt(name), `${name} is reached by keyboard`)
    }
    await tabTo('Validate')
    await page.keyboard.press('Enter')
    await page.getByText('Done: Validate').waitFor()
    await page.getByRole('link', { name: /Minutes/ }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('link', { name: /Budget/ }).count(), 1)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a task is delegated and reassigned, and a workflow is cancelled by who started it', async () => {
    await startReview('roadmap', 'bob')
    const bob = await visit('tasks', { user: 'bob' })
    await bob.page.getByRole('link', { name: /Roadmap/ }).click()
    const give = async (kind: string, name: string) => {
      await bob.page.getByRole('button', { name: `${kind}…` }).click()
      const dialog = bob.page.getByRole('dialog')
      await dialog.getByLabel('People or groups').fill(name)
      await bob.page.getByRole('option', { name: new RegExp(name) }).click()
      await dialog.getByRole('button', { name: kind }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await give('Delegate', 'Carol')
    await bob.page.getByText('Also for').waitFor()
    await give('Reassign', 'Alice')
    await bob.page.getByText('Nothing waits for you').waitFor()
    const alice = await visit('tasks?view=started', { user: 'alice' })
    const card = alice.page.getByRole('article').filter({ hasText: 'Roadmap' })
    await card.getByText('Alice Martin').first().waitFor()
    await card.getByRole('button', { name: 'Cancel the workflow' }).click()
    await alice.page.getByRole('button', { name: 'Cancel it' }).click()
    await card.waitFor({ state: 'detached' })
    assert.deepEqual(alice.complaints, [])
    await Promise.all([bob.leave(), alice.leave()])
  })

  journey('who watches a document is told of what happens to it, and reads it in the shell', async () => {
    // Not Alice, who has annotated it and watches it since.
    const carol = await visit(`browse${team}/offer`, { user: 'carol' })
    await carol.page.getByRole('button', { name: 'Watch', exact: true }).click()
    await carol.page.getByRole('button', { name: 'Stop watching' }).waitFor()
    const { uid } = await documentAt('offer')
    const comment = { 'entity-type': 'comment', text: 'Sent it to them' }
    await stage.server.as('bob').post(`/id/${uid}/@comment`, comment)
    await untilIdle(stage.server)
    await carol.page.getByRole('button', { name: '1 new notification' }).click()
    const told = carol.page.getByRole('dialog', { name: 'Notifications' })
    await told.getByRole('button', { name: /Offer.*Comment added.*Sent it to them/ }).click()
    await carol.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    await carol.page.goto(`${stage.server.url}ui/profile`)
    await carol.page.getByRole('button', { name: 'Stop watching Offer' }).click()
    await carol.page.getByText('You watch no document').waitFor()
    assert.deepEqual(carol.complaints, [])
    await carol.leave()
  })

  journey('somebody changes profile and password, ends a session and gives a program a token', async () => {
    const elsewhere = await visit('', { user: 'carol' })
    const { page, complaints, leave } = await visit('profile', { user: 'carol', isFresh: true })
    await page.getByLabel('Telephone').fill('+33 1 23 45')
    await page.getByRole('region', { name: 'Account' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This browser').waitFor()
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
    // In a window of its own: the one that is open may be on its way to the form by itself.
    const window = await elsewhere.page.context().newPage()
    await window.goto(`${stage.server.url}ui/`)
    await window.locator('#password').waitFor()
    const tokens = page.getByRole('region', { name: 'Tokens' })
    await tokens.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Program').fill('Scanner')
    await page.getByRole('button', { name: 'Create' }).click()
    const token = await page.getByLabel('Your new token').inputValue()
    const call = () => fetch(`${stage.server.url}api/v1/me`, { headers: { 'X-Authentication-Token': token } })
    assert.equal(((await (await call()).json()) as { id: string }).id, 'carol')
    await page.getByRole('button', { name: 'Done' }).click()
    await tokens.getByRole('button', { name: 'Revoke Scanner' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await tokens.getByText('You have given no program a token.').waitFor()
    assert.equal((await call()).status, 401)
    assert.deepEqual(complaints, [])
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password', { exact: true }).fill('carols-secret')
    await page.getByLabel('New password again').fill('carols-secret')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The old password is not the right one.').first().waitFor()
    await page.getByLabel('Current password').fill('carol')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password was changed.').waitFor()
    // It goes on, and what it looks like was kept.
    await page.reload()
    await page.getByLabel('Telephone').and(page.locator('[value="+33 1 23 45"]')).waitFor()
    await Promise.all([elsewhere.leave(), leave()])
  })

  journey('somebody is looked at: who they are, what they do, and what they may do for who manages that', async () => {
    const { uid } = await documentAt('minutes')
    const given = { username: 'alice', permission: 'Everything' }
    await stage.server.as('Administrator').post('/automation/Document.AddPermission', { input: uid, params: given, context: {} })
    await stage.server.as('alice').put(`/id/${uid}`, { 'entity-type': 'document', uid, properties: { 'dc:source': 'Alice' } })
    const share = { username: 'bob', permission: 'Read' }
    await stage.server.as('alice').post('/automation/Document.AddPermission', { input: uid, params: share, context: {} })
    const { page, complaints, leave } = await visit(`browse${team}/minutes?tab=permissions`)
    await page.getByRole('link', { name: 'Alice Martin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Alice Martin' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/ui/people/alice')
    await page.getByRole('link', { name: 'alice@example.org' }).waitFor()
    await page.getByRole('region', { name: 'Groups' }).getByText('Members group').waitFor()
    for (const name of ['Changed last', 'Shared with others'])
      await page.getByRole('region', { name }).getByRole('link', { name: 'Minutes' }).waitFor()
    const held = page.getByRole('region', { name: 'Permissions' }).getByRole('listitem')
    await held
      .filter({ hasText: /Team.*may see and change it · as a member of Members group/ })
      .first()
      .waitFor()
    await held
      .filter({ hasText: /Minutes.*may do everything with it · given by Administrator/ })
      .first()
      .waitFor()
    await held
      .filter({ hasText: /Sections.*may ask to publish in it · as a member of Members group/ })
      .first()
      .waitFor()
    // What the server keeps of workflows is nobody's document.
    assert.equal(await held.filter({ hasText: 'wf.' }).count(), 0)
    assert.deepEqual(complaints, [])
    await leave()
    const bob = await visit('people/alice', { user: 'bob' })
    await bob.page.getByRole('region', { name: 'Shared with others' }).getByRole('link', { name: 'Minutes' }).waitFor()
    assert.equal(await bob.page.getByRole('region', { name: 'Permissions' }).count(), 0)
    assert.deepEqual(bob.complaints, [])
    await bob.leave()
  })

  journey('a permission is taken away once that is confirmed', async () => {
    const { uid } = await documentAt('offer')
    const share = { username: 'bob', permission: 'Everything' }
    const given = await stage.server
      .as('Administrator')
      .post('/automation/Document.AddPermission', { input: uid, params: share, context: {} })
    assert.equal(given.status, 200)
    const { page, complaints, leave } = await visit(`browse${team}/offer?tab=permissions`)
    const isGiven = async () =>
      JSON.stringify((await stage.server.as('Administrator').get(`/id/${uid}/@acl`)).body).includes('"username":"bob"')
    const remove = page.getByRole('button', { name: 'Take away from Bob Durand' })
    const dialog = page.getByRole('dialog', { name: 'Take this away from Bob Durand?' })
    await remove.click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await isGiven(), true)
    await remove.click()
    await dialog.getByRole('button', { name: 'Take away' }).click()
    await page.getByText('Taken away from Bob Durand').waitFor()
    await remove.waitFor({ state: 'detached' })
    assert.equal(await isGiven(), false)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a review is done in French on a telephone, in the language of the profile', async () => {
    const { uid } = (await stage.server.as('bob').post('/me/profile')).body
    const properties = { 'userprofile:locale': 'fr' }
    await stage.server.as('bob').put(`/id/${uid}`, { 'entity-type': 'document', properties })
    await startReview('offer', 'bob')
    const { page, complaints, leave } = await visit('', { user: 'bob', viewport: { width: 390, height: 844 } })
    await page.getByRole('link', { name: /Tâches/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Tâches' }).waitFor()
    await page.getByRole('link', { name: /Offer/ }).click()
    await page.getByRole('heading', { name: 'Valider le document' }).waitFor()
    await page.getByLabel('Commentaire').fill('Très bien')
    await page.getByRole('button', { name: 'Valider' }).click()
    await page.getByText('Rien ne vous attend').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })
})
