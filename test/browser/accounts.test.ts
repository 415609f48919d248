/**
 * Signing in, invitations and what people do with their accounts, with the forms of the pages. Who signs in
 * too often is limited, ten times a minute from one address: these tests stay below.
 */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { issuePasswordToken } from "../../src/store/accounts/accounts.ts";
import { eventually } from "../support/postgres-server.ts";
import { describeInBrowser } from "./support/chromium.ts";
import { type BrowserSession, dashboardSuite, personOf } from "./support/dashboard-suite.ts";
import { pageIsReady } from "./support/page-checks.ts";

describeInBrowser("accounts", () => {
  const suite = dashboardSuite();
  const owner = personOf("owner");
  let session: BrowserSession;
  let page: Page;
  /** Another browser of the owner's. */
  let elsewhere: { readonly session: BrowserSession; readonly page: Page };
  const field = (of: Page, label: string) => of.getByLabel(label, { exact: true });
  const press = (of: Page, name: string) => of.getByRole("button", { name, exact: true }).click();
  const pathOf = (of: Page) => of.url().slice(suite.service.url.length);
  /** A refusal is also reported by the browser itself. */
  const refusedOnly = ({ watch }: BrowserSession) =>
    expect(watch.take().filter((what) => !/status of 4\d\d/.test(what))).toEqual([]);

  async function signIn(of: Page, person: { email: string; password: string }): Promise<void> {
    await field(of, "E-mail address").fill(person.email);
    await field(of, "Password").fill(person.password);
    await press(of, "Sign in");
  }

  beforeAll(async () => {
    session = await suite.signedIn("owner");
    page = await session.newPage();
  });

  test("a sign-in says at each field what is missing, and what does not fit", async () => {
    const out = await suite.signedOut();
    const form = await out.newPage();
    await form.goto(`${suite.service.url}/app/sign-in?next=https://evil.example/`);
    await press(form, "Sign in");
    await form.getByText("Enter an e-mail address").waitFor();
    await form.getByText("Enter the password").waitFor();
    expect(await field(form, "E-mail address").getAttribute("aria-invalid")).toBe("true");
    expect(await form.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
    await signIn(form, { email: owner.email, password: "not the password" });
    await form.getByRole("alert").getByText("do not fit").waitFor();
    await signIn(form, owner);
    await form.waitForURL(/\/app\/p\//);
    refusedOnly(out);
    await out.context.close();
  });

  test.each([
    ["/app/settings/account?x=1", /^\/app\/settings\/account/],
    ["https://evil.example/", /^\/app\/p\//],
    ["//evil.example/app", /^\/app\/p\//],
    ["/app/api/session", /^\/app\/p\//],
    ["/app/../metrics", /^\/app\/p\//],
  ])("who is signed in and opens the sign-in with next=%s gets to an own page", async (next, expected) => {
    await page.goto(`${suite.service.url}/app/sign-in?next=${encodeURIComponent(next)}`);
    await page.waitForURL(/\/app\/(?!sign-in)/);
    expect(pathOf(page)).toMatch(expected);
    session.watch.expectNothingWrong();
  });

  test("who is signed out while a page is open is told so, and comes back to it", async () => {
    const out = await suite.signedIn("owner");
    const form = await out.newPage();
    await form.goto(`${suite.service.url}/app/settings/account`);
    await pageIsReady(form);
    await out.context.clearCookies();
    await form.getByRole("link", { name: "Members", exact: true }).click();
    await form.waitForURL(/\/app\/sign-in/);
    await form.getByText("Your session has ended").waitFor();
    await signIn(form, owner);
    await form.waitForURL(/\/app\/settings\/members$/);
    await pageIsReady(form);
    const settings = form.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" });
    expect(await settings.getAttribute("aria-current")).toBe("page");
    refusedOnly(out);
    await out.context.close();
  });

  test("an invitation's link is shown once, makes one account and is over then", async () => {
    await page.goto(`${suite.service.url}/app/settings/members`);
    await press(page, "Invite");
    const dialog = page.getByRole("dialog");
    await field(page, "E-mail address").fill("iris@example.org");
    await press(page, "Create link");
    const link = (await dialog.locator("code").textContent()) ?? "";
    await press(page, "Done");
    await page.getByRole("table", { name: "Open invitations" }).getByText("iris@example.org").waitFor();
    expect(await page.content()).not.toContain(new URL(link).searchParams.get("token"));

    const out = await suite.signedOut();
    const form = await out.newPage();
    await form.goto(suite.service.url + new URL(link).pathname + new URL(link).search);
    await eventually(
      "the address is filled in",
      async () => (await field(form, "E-mail address").inputValue()) === "iris@example.org",
    );
    await field(form, "Your name").fill("Iris");
    await field(form, "Password").fill("too short");
    await press(form, "Join");
    await form.getByText("At least 12 characters, this has 9").waitFor();
    await field(form, "Password").fill(personOf("iris").password);
    await press(form, "Join");
    await form.waitForURL(/\/app\/p\//);
    await form.goto(suite.service.url + new URL(link).pathname + new URL(link).search);
    await form.getByRole("heading", { name: "This invitation is over" }).waitFor();
    refusedOnly(out);
    await out.context.close();
  });

  test("an owner changes roles and removes members, but never the last owner", async () => {
    await page.goto(`${suite.service.url}/app/settings/members`);
    await page.getByLabel("Role of Iris").click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await page.getByText("Iris is viewer now").first().waitFor();
    await page.getByLabel(`Role of ${owner.name}`).focus();
    await page.keyboard.press("Enter");
    await page.locator("[role=option][data-highlighted]", { hasText: "Owner" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator("[role=option][data-highlighted]", { hasText: "Member" }).waitFor();
    await page.keyboard.press("Enter");
    await press(page, "Give up");
    await page.getByRole("alertdialog").getByText("The last owner stays").waitFor();
    await press(page, "Cancel");
    await page.getByRole("button", { name: "Remove Iris" }).click();
    await press(page, "Remove");
    await page.getByText("Iris is removed").first().waitFor();
    await page
      .getByRole("table", { name: "Members" })
      .getByText("Iris")
      .first()
      .waitFor({ state: "detached" });
    refusedOnly(session);
  });

  test("others see who is there, and nothing to press", async () => {
    const viewer = await suite.signedIn("viewer");
    const list = await viewer.newPage();
    await list.goto(`${suite.service.url}/app/settings/members`);
    await list.getByRole("table", { name: "Members" }).getByText(owner.email).waitFor();
    expect(await list.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await list.getByRole("table", { name: "Open invitations" }).count()).toBe(0);
    viewer.watch.expectNothingWrong();
  });

  test("a lost password is replaced by the operator's link", async () => {
    const token = await issuePasswordToken(suite.database.sql, owner.email);
    const out = await suite.signedOut();
    const form = await out.newPage();
    await form.goto(`${suite.service.url}/app/password?token=${token}`);
    await field(form, "New password").fill("another horse battery");
    await press(form, "Set the password");
    await form.waitForURL(/\/app\/p\//);
    // A page that asks for nothing by itself.
    await form.goto(`${suite.service.url}/app/settings/account`);
    await pageIsReady(form);
    out.watch.expectNothingWrong();
    elsewhere = { session: out, page: form };

    // The first browser is signed out by it: it is led to the sign-in, and back to where it was.
    await page.goto(`${suite.service.url}/app/settings/account`);
    await page.waitForURL(/\/app\/sign-in/);
    await signIn(page, { email: owner.email, password: "another horse battery" });
    await page.waitForURL(/\/app\/settings\/account$/);
    session.watch.take();
  });

  test("a name and a password are changed, and the password's change ends all other sessions", async () => {
    await pageIsReady(page);
    await field(page, "Name").fill("Olga");
    await press(page, "Save");
    await page.getByRole("button", { name: /^Olga/ }).waitFor();
    await field(page, "Current password").fill("not the password");
    await field(page, "New password").fill(owner.password);
    await press(page, "Change password");
    await page.getByText("The current password is wrong").waitFor();
    await field(page, "Current password").fill("another horse battery");
    await press(page, "Change password");
    await page.getByText("Password changed").first().waitFor();
    await elsewhere.page.reload();
    await elsewhere.page.waitForURL(/\/app\/sign-in/);
    refusedOnly(elsewhere.session);
    await press(page, "Sign out everywhere");
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/app\/sign-in/);
    refusedOnly(session);
  });
});
