package scratch

import (
	"context"
	"errors"
	"os"
	"testing"
)

// TestFolders removes the folders that are left, and no other one.
func TestFolders(t *testing.T) {
	ctx, folders := With(t.Context())
	in := t.TempDir()
	make := func(ctx context.Context) (string, func()) {
		dir, remove, err := Dir(ctx, in, "a-")
		if err != nil {
			t.Fatal(err)
		}
		return dir, remove
	}
	left, _ := make(ctx)
	gone, remove := make(ctx)
	own, _ := make(t.Context())
	noted := t.TempDir()
	done := Note(ctx, noted)
	remove()
	if exists(gone) {
		t.Error("a folder is there after its removal")
	}
	done()
	shared := Shared(ctx, in, "s-")
	if !exists(shared) || Shared(ctx, in, "s-") != shared || Shared(t.Context(), in, "s-") != "" {
		t.Errorf("the shared folder is %q", shared)
	}
	folders.Remove()
	if _, _, err := Dir(ctx, in, "a-"); !errors.Is(err, context.Canceled) {
		t.Errorf("a folder after the end: %v", err)
	}
	if exists(shared) || Shared(ctx, in, "s-") != "" {
		t.Error("a shared folder is there after the end")
	}
	if exists(left) || !exists(own) || !exists(noted) {
		t.Errorf("left %v, own %v, noted %v", exists(left), exists(own), exists(noted))
	}
	if _, _, err := Dir(ctx, in+"/none", "a-"); err == nil {
		t.Error("a folder in none")
	}
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}
