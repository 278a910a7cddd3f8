import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { requireStatus } from '../support/workbench.ts'

const team = '/default-domain/workspaces/team'

describe('the console, while others work on the same documents,', { timeout: 900_000 }, () => {
  const stage = setStage(async (server) => {
    await server.addUser('alice', ['members'])
    await server.addUser('bob', ['members'])
    const admin = server.as('Administrator')
    const create = async (parent: string, type: string, name: string, title: string) =>
      requireStatus(
        201,
        await admin.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties: { 'dc:title': title } }),
      )
    await create('/default-domain/workspaces', 'Workspace', 'team', 'Team')
    for (const name of ['plan', 'offer', 'letter']) await create(team, 'Note', name, `A ${name}`)
    const params = { username: 'members', permission: 'ReadWrite' }
    requireStatus(200, await admin.post('/automation/Document.AddPermission', { input: `doc:${team}`, params, context: {} }))
  })
  const { journey, visit } = stage
  const run = async (user: string, operation: string, name: string) =>
    requireStatus(
      200,
      await stage.server.as(user).post(`/automation/${operation}`, { input: `doc:${team}/${name}`, params: {}, context: {} }),
    )

  journey('says who has locked a document, and lets that one unlock it', async () => {
    const bob = await visit(`browse${team}/plan`, { user: 'bob' })
    const edit = bob.page.getByRole('main').getByRole('button', { name: 'Edit' })
    await edit.waitFor()
    await run('alice', 'Document.Lock', 'plan')
    await bob.page.getByText('alice has locked this').waitFor()
    await edit.waitFor({ state: 'detached' })
    assert.equal(await bob.page.getByRole('button', { name: 'Unlock' }).count(), 0)
    assert.deepEqual(await findBarriers(bob.page), [])
    const alice = await visit(`browse${team}/plan`, { user: 'alice', locale: 'fr-FR' })
    await alice.page.getByText('Vous avez verrouillé ce document').waitFor()
    await alice.page.getByRole('button', { name: 'Déverrouiller' }).click()
    await alice.page.getByText('Vous avez verrouillé ce document').waitFor({ state: 'detached' })
    await edit.waitFor()
    assert.deepEqual([...alice.complaints, ...bob.complaints], [])
    await alice.leave()
    await bob.leave()
  })

  journey('says that a document is gone which somebody else removes', async () => {
    const { page, leave } = await visit(`browse${team}/offer`, { user: 'bob' })
    await settle(page)
    requireStatus(204, await stage.server.as('Administrator').delete(`/path${team}/offer`))
    await page.getByRole('alert').getByText('This is not here any more').waitFor()
    assert.ok(await page.getByRole('heading', { level: 1, name: 'A offer' }).isVisible())
    assert.deepEqual(await findBarriers(page), [])
    await leave()
  })

  journey('asks before what was typed into a form is left, by a link or for the sign-in', async () => {
    const { page, leave } = await visit(`browse${team}/letter`, { user: 'bob', isFresh: true })
    await settle(page)
    const trash = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' })
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click()
    await title.fill('A longer letter')
    await trash.click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await title.inputValue(), 'A longer letter')
    const { cookies } = await page.context().storageState()
    await page.context().clearCookies()
    const asked = page.waitForEvent('dialog')
    const clicked = page.getByRole('button', { name: 'Save' }).click()
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await clicked
    assert.equal(await title.inputValue(), 'A longer letter')
    // As if signed in again in another window.
    await page.context().addCookies(cookies)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'A longer letter' }).waitFor()
    await trash.click()
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
    await leave()
  })

  journey('lets one choose where a client without a change token has saved something else meanwhile', async () => {
    const admin = stage.server.as('Administrator')
    const { page, leave } = await visit(`browse${team}/plan`, { user: 'bob' })
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Source' }).fill('What bob says')
    const properties = { 'dc:source': 'What the program says', 'dc:rights': 'Everybody' }
    requireStatus(200, await admin.put(`/path${team}/plan`, { 'entity-type': 'document', properties }))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('Somebody else has changed this document meanwhile').waitFor()
    assert.equal(
      (await admin.get(`/path${team}/plan`, { properties: '*' })).body.properties['dc:source'],
      'What the program says',
    )
    await page.getByRole('radio', { name: /Mine:.*What bob says/ }).check()
    await page.getByRole('button', { name: 'Save what I chose' }).click()
    await page.getByText('Saved').waitFor()
    const saved = (await admin.get(`/path${team}/plan`, { properties: '*' })).body.properties
    assert.deepEqual([saved['dc:source'], saved['dc:rights']], ['What bob says', 'Everybody'])
    await leave()
  })

  journey('asks before a comment that is being written goes, and not for a page of the same file', async () => {
    const { page, leave } = await visit(`browse${team}/plan`, { user: 'bob' })
    await settle(page)
    const comment = page.getByRole('textbox', { name: 'Write a comment' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const stay = async () => {
      await question.getByRole('button', { name: 'Stay here' }).click()
      await question.waitFor({ state: 'detached' })
      assert.equal(await comment.inputValue(), 'Half a sentence')
    }
    await comment.fill('Half a sentence')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    await stay()
    await page.getByRole('tab', { name: 'History' }).click()
    await stay()
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click()
    await stay()
    await comment.press('Control+Enter')
    await page.getByRole('group', { name: /^What to do with the comment/ }).waitFor()
    await page.getByRole('button', { name: 'Reply' }).click()
    const reply = page.getByRole('textbox', { name: /^Reply to/ })
    await reply.fill('An answer')
    await reply.press('Escape')
    assert.equal(await reply.inputValue(), 'An answer')
    await reply.fill('')
    await reply.press('Escape')
    await reply.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
    await leave()
  })

  journey('keeps what is being written to a reply while the replies are hidden', async () => {
    const { page, leave } = await visit(`browse${team}/letter`, { user: 'bob' })
    const remarks = page.getByRole('group', { name: /^What to do with the comment/ })
    const write = async (field: string, text: string, place: number) => {
      await page.getByRole('textbox', { name: field }).fill(text)
      await page.keyboard.press('Control+Enter')
      await remarks.nth(place).waitFor()
    }
    await write('Write a comment', 'First of all', 0)
    await remarks.nth(0).getByRole('button', { name: 'Reply' }).click()
    await write('Reply to bob', 'Second thoughts', 1)
    await remarks.nth(1).getByRole('button', { name: 'Reply' }).click()
    const reply = page.getByRole('textbox', { name: 'Reply to bob' })
    await reply.fill('Half an answer')
    await page.getByRole('button', { name: 'Hide replies' }).click()
    await reply.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '1 reply' }).click()
    assert.equal(await reply.inputValue(), 'Half an answer')
    await leave()
  })

  journey('asks before a dialog closes over what was typed into it, by Escape, beside it or by going back', async () => {
    const { page, leave } = await visit('browse/default-domain/workspaces', { user: 'bob' })
    await page.getByRole('grid').getByText('Team').click()
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    const open = () => page.getByRole('main').getByRole('button', { name: 'New', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'New document' })
    const title = form.getByRole('textbox', { name: 'Title' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await open()
    await title.press('Escape')
    await form.waitFor({ state: 'detached' })
    await open()
    await title.fill('A half-told title')
    await title.press('Escape')
    await question.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await page.mouse.click(5, 400)
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    await page.evaluate('history.back()')
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await title.inputValue(), 'A half-told title')
    await title.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await form.waitFor({ state: 'detached' })
    await open()
    assert.equal(await title.inputValue(), '')
    await leave()
  })

  for (const [address, open, name, field] of [
    [`browse${team}`, 'F2', 'Rename', 'Title'],
    [`browse${team}/plan?tab=permissions`, 'Share', 'Share', 'Person or group'],
    ['search?words=plan', 'Save search', 'Save search', 'Name'],
    ['profile', 'New token', 'New token', 'Program'],
  ] as const)
    journey(`asks before the small dialog “${name}” closes over what was typed into it`, async () => {
      const { page, leave } = await visit(address)
      await settle(page)
      if (open === 'F2') {
        await page.getByRole('grid').focus()
        await page.keyboard.press('Home')
        await page.keyboard.press('F2')
      } else await page.getByRole('main').getByRole('button', { name: open }).click()
      const dialog = page.getByRole('dialog', { name })
      const text = dialog.getByLabel(field)
      await text.fill('Half a word')
      await text.press('Escape')
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      await question.getByRole('button', { name: 'Stay here' }).click()
      await question.waitFor({ state: 'detached' })
      assert.equal(await text.inputValue(), 'Half a word')
      await text.press('Escape')
      await question.getByRole('button', { name: 'Leave' }).click()
      await dialog.waitFor({ state: 'detached' })
      await leave()
    })

  for (const width of [1440, 390])
    journey(`keeps the page of a document in its place, whoever says something about it, ${width} wide`, async () => {
      const { server } = stage
      const name = `longname-${width}`
      await server.addUser(name, ['members'])
      const properties = { username: name, firstName: 'Jonas-Maximilian', lastName: `von ${'Waldenburg-'.repeat(12)}` }
      requireStatus(200, await server.as('Administrator').put(`/user/${name}`, { 'entity-type': 'user', id: name, properties }))
      const { uid } = (await server.as(name).get(`/path${team}/letter`)).body
      const comment = { 'entity-type': 'comment', parentId: uid, text: 'اتفاقية (2026).' }
      requireStatus(201, await server.as(name).post(`/id/${uid}/@comment`, comment))
      const { page, leave } = await visit(`browse${team}/letter`, { user: 'bob', viewport: { width, height: 900 } })
      await page.getByText('اتفاقية').first().waitFor()
      await settle(page)
      const edit = await page.getByRole('main').getByRole('button', { name: 'Edit' }).first().boundingBox()
      assert.ok(edit !== null && edit.x + edit.width <= width, `the button begins at ${edit?.x}`)
      await leave()
    })

  journey('sends a form once, however often Enter is pressed while the server takes its time', async () => {
    const { page, leave } = await visit(`browse${team}`, { user: 'bob' })
    await settle(page)
    const sent: string[] = []
    const answers: (() => Promise<void>)[] = []
    await page.route(/\/api\/v1\/id\/[^/]+$/, async (route) => {
      if (route.request().method() === 'GET') return await route.continue()
      sent.push(route.request().method())
      answers.push(() => route.continue())
    })
    const submitTwice = async (name: string, title: string) => {
      const field = page.getByRole('dialog', { name }).getByRole('textbox', { name: 'Title' })
      await field.fill(title)
      await field.press('Enter')
      await page.locator('button[data-pending]').waitFor()
      await field.press('Enter')
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      for (const answer of answers.splice(0)) await answer()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('main').getByRole('button', { name: 'New', exact: true }).click()
    await submitTwice('New document', 'A unique thing')
    await page.getByRole('row', { name: /A unique thing/ }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('F2')
    await submitTwice('Rename', 'Another name')
    assert.deepEqual(sent, ['POST', 'PUT'])
    await leave()
  })
})
