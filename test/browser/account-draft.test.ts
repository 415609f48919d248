/**
 * A name typed on the account page and not saved: no way of signing out drops it without asking, and a
 * session that ends keeps it.
 */
import { expect, test } from "bun:test";
import { describeInBrowser } from "./support/chromium.ts";
import { dashboardSuite, personOf } from "./support/dashboard-suite.ts";
import { accessibilityProblems, openPage, pageIsReady } from "./support/page-checks.ts";

describeInBrowser("a name that is typed and not saved", () => {
  const suite = dashboardSuite();

  test("it is there again after a session that ended elsewhere; signing out asks, everywhere or here, and takes it away", async () => {
    const session = await suite.signedIn("member");
    const page = await session.newPage();
    await openPage(page, `${suite.service.url}/app/settings/account`);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Somebody else");
    await suite.database.sql`delete from ats.session`;
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/\/app\/sign-in/);
    const { email, password } = personOf("member");
    await page.getByRole("textbox", { name: "E-mail address" }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/settings\//);
    await pageIsReady(page);
    await page.getByText("What you had typed is here again").waitFor();
    expect(await name.inputValue()).toBe("Somebody else");

    const question = page.getByRole("alertdialog", { name: "Sign out everywhere?" });
    const ask = async () => {
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      await question.waitFor();
    };
    await name.fill(personOf("member").name);
    await ask();
    expect(await question.getByText("What you typed").count()).toBe(0);
    await question.getByRole("button", { name: "Cancel" }).click();
    await name.fill("Somebody else");
    await ask();
    await question.getByText("What you typed on this page is not saved yet").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Somebody else");

    await page.getByRole("button", { name: personOf("member").name }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const fromMenu = page.getByRole("alertdialog", { name: "Sign out without saving?" });
    await fromMenu.getByRole("button", { name: "Cancel" }).click();
    await fromMenu.waitFor({ state: "detached" });

    await ask();
    await question.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/app\/sign-in$/);
    expect(await page.evaluate(() => sessionStorage.getItem("ats-kept-drafts"))).toBeNull();
    expect(session.watch.take().filter((wrong) => !/status of 401/.test(wrong))).toEqual([]);
    await page.close();
  });
});
