import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { useHasRole } from "../../../session.ts";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";

export function MemberListPage() {
  const mayChange = useHasRole("owner");
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="Members"
        description={
          mayChange
            ? "A role holds for all projects."
            : "A role holds for all projects. Owners invite people and change their roles."
        }
        actions={
          mayChange ? (
            <Button variant="primary" icon={<UserPlus aria-hidden />} onClick={() => setInviting(true)}>
              Invite
            </Button>
          ) : undefined
        }
      />
      <div className="flex flex-col gap-5">
        <MemberTable mayChange={mayChange} />
        {mayChange ? <InvitationList /> : null}
      </div>
      {mayChange ? <InviteDialog open={inviting} onOpenChange={setInviting} /> : null}
    </>
  );
}
